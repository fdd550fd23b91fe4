package dev.baton.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/**
 * Which certificates to trust, and our own. The files are read for each new connection, so they can be replaced while the
 * process runs. The host name is checked in any case.
 *
 * @param trusted null for the trust store of the JVM
 * @param own null for none
 */
record Tls(@Nullable Store trusted, @Nullable Store own) {
    static final Tls DEFAULT = new Tls(null, null);

    /** A file in a format that the JVM knows, such as PKCS #12; its password must not be shown. */
    record Store(Path file, String password) {
        Store {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException(
                        "the key store " + file + " cannot be read; name a file with certificates");
            }
        }

        @Override
        public String toString() {
            return file.toString();
        }
    }

    SslOptions options() {
        SslOptions.Builder options = SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL);
        if (trusted != null) {
            options.truststore(trusted.file.toFile(), trusted.password.toCharArray());
        }
        if (own != null) {
            options.keystore(own.file.toFile(), own.password.toCharArray());
        }
        return options.build();
    }
}
