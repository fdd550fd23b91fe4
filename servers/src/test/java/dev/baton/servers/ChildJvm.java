package dev.baton.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Another JVM that uses this package, prints what it got and lives until its standard input is closed. */
final class ChildJvm implements AutoCloseable {

    private static final String READY = "ready";

    private final Process process;
    private final List<String> lines = new ArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
    }

    public static void main(String[] args) throws Exception {
        Servers.startAll();
        System.out.println(Postgres.get().describe());
        System.out.println(Redis.get().describe());
        Postgres.freshSchema();
        if (List.of(args).contains("embedded")) {
            System.out.println(Workspace.folder());
            System.out.println(RedisInfo.of(Redis.get().uri()).pid());
            System.out.println(postmaster());
        }
        System.out.println(READY);
        System.in.read();
    }

    private static String postmaster() throws Exception {
        return Sql.text(
                        Postgres.dataSource(Postgres.get().jdbcUrl()),
                        "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")
                .strip();
    }

    static ChildJvm start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ChildJvm.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        builder.environment().putAll(environment);
        ChildJvm child = new ChildJvm(builder.start());
        BufferedReader reader = child.process.inputReader(UTF_8);
        for (String line = reader.readLine(); !READY.equals(line); line = reader.readLine()) {
            if (line == null) {
                throw new IOException("The child ended early: " + child.lines);
            }
            child.lines.add(line);
        }
        return child;
    }

    /** What it printed, log lines included. */
    List<String> lines() {
        return lines;
    }

    /** The line so many lines before the end. */
    String fromEnd(int index) {
        return lines.get(lines.size() - 1 - index);
    }

    void exit() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }

    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
