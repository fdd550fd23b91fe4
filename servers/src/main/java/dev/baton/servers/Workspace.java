package dev.baton.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The one temporary folder of this JVM that holds everything the embedded servers write. */
final class Workspace {

    private static final Once<Path> FOLDER = new Once<>(Workspace::create);

    private Workspace() {}

    static Path folder() {
        return FOLDER.get();
    }

    private static Path create() {
        try {
            Path folder = Files.createTempDirectory("baton-servers-");
            Guardian.remove(folder);
            AtExit.run(() -> delete(folder));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create a temporary folder", e);
        }
    }

    /** Deletes a folder with all it holds. */
    static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    // A server that is just ending removes files of its own.
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Could not delete " + folder, e);
        }
    }

    /** Returns the end of a log file, for messages. */
    static String tail(Path log) {
        try {
            String text = Files.exists(log) ? Files.readString(log) : "";
            return text.substring(Math.max(0, text.length() - 2000)).strip();
        } catch (IOException e) {
            return "(" + log + " cannot be read: " + e.getMessage() + ")";
        }
    }
}
