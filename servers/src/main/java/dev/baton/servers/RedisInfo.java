package dev.baton.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * What a Redis server says about itself, asked without any client library.
 *
 * @param version the version of the server
 * @param pid the process of the server on its own machine
 */
record RedisInfo(String version, long pid) {

    private static final int TIMEOUT_MILLIS = 3000;

    static RedisInfo of(URI uri) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), TIMEOUT_MILLIS);
            if ("rediss".equals(uri.getScheme())) {
                SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
                try (SSLSocket secure = (SSLSocket) factory.createSocket(socket, uri.getHost(), uri.getPort(), true)) {
                    return ask(secure, uri);
                }
            }
            return ask(socket, uri);
        }
    }

    private static RedisInfo ask(Socket socket, URI uri) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        String info = uri.getRawUserInfo();
        if (info != null) {
            int colon = info.indexOf(':');
            String user = decode(colon < 0 ? "" : info.substring(0, colon));
            String password = decode(info.substring(colon + 1));
            if (user.isEmpty()) {
                call(in, out, "AUTH", password);
            } else {
                call(in, out, "AUTH", user, password);
            }
        }
        String text = call(in, out, "INFO", "server");
        return new RedisInfo(field(text, "redis_version"), Long.parseLong(field(text, "process_id")));
    }

    private static String call(InputStream in, OutputStream out, String... words) throws IOException {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        command.writeBytes(bytes("*" + words.length + "\r\n"));
        for (String word : words) {
            command.writeBytes(bytes("$" + bytes(word).length + "\r\n" + word + "\r\n"));
        }
        out.write(command.toByteArray());
        out.flush();
        String reply = line(in);
        if (reply.startsWith("$")) {
            return new String(in.readNBytes(Integer.parseInt(reply.substring(1))), StandardCharsets.UTF_8);
        }
        if (!reply.startsWith("+")) {
            throw new IOException(words[0] + " was answered with: " + reply);
        }
        return reply;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() > 1000) {
                throw new IOException("This is not a Redis server, or it closed the connection");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).strip();
    }

    private static String field(String info, String name) throws IOException {
        return info.lines()
                .filter(each -> each.startsWith(name + ":"))
                .map(each -> each.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("INFO shows no " + name));
    }

    private static String decode(String raw) {
        return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
