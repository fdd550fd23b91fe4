package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.stream.DoubleStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The peer: a Node process per measurement. */
final class Bullmq implements Side {
    private static final String SCRIPT = "bullmq.mjs";
    private static final String NPM_INSTALL =
            "npm install bullmq@latest ioredis@latest --no-audit --no-fund --loglevel=error --fetch-retries=1";
    private static final Duration INSTALLATION = Duration.ofMinutes(3);
    private static final Duration MEASUREMENT = Duration.ofMinutes(10);
    private static final JsonMapper JSON = new JsonMapper();

    private final Path folder;

    private Bullmq(Path folder) {
        this.folder = folder;
    }

    /** Installs the newest version and says which it is, or says why there is none: then the peer's figures are missing. */
    static Side install(Path folder) throws InterruptedException {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("package.json"), "{\"private\":true}\n");
            ChildProcess.run(folder, INSTALLATION, NPM_INSTALL.split(" "));
            try (InputStream script = Bullmq.class.getResourceAsStream(SCRIPT)) {
                Files.copy(script, folder.resolve(SCRIPT), StandardCopyOption.REPLACE_EXISTING);
            }
            System.out.println("peer: BullMQ " + version(folder, "bullmq") + " with ioredis "
                    + version(folder, "ioredis") + ", Node "
                    + ChildProcess.run(folder, INSTALLATION, "node", "--version")
                            .strip());
            return new Bullmq(folder);
        } catch (IOException e) {
            System.out.println("BullMQ could not be installed (" + e.getMessage()
                    + "); it needs Node with npm and a package registry. Only Baton is measured.");
            return ABSENT;
        }
    }

    @Override
    public Map<Figure, Double> measure(Work work) throws Exception {
        long memoryBefore = memory(work);
        JsonNode answer =
                JSON.readTree(ChildProcess.run(folder, MEASUREMENT, "node", SCRIPT, JSON.writeValueAsString(work)));
        check(work, answer, "processed");
        return switch (work.kind()) {
            case BULK, SINGLE -> Map.of(Figure.JOBS, answer.required("rate").asDouble());
            case PROCESS -> processed(work, answer);
            case LATENCY -> latency(answer);
            case WAITING -> waiting(work, answer, memoryBefore);
        };
    }

    private static Map<Figure, Double> processed(Work work, JsonNode answer) {
        check(work, answer, "distinct");
        return Figures.processed(
                answer.required("rate").asDouble(),
                work.jobs(),
                ServerInfo.parse(answer.required("before").asString()),
                ServerInfo.parse(answer.required("after").asString()));
    }

    private static Map<Figure, Double> latency(JsonNode answer) {
        DoubleStream micros = answer.required("micros").valueStream().mapToDouble(JsonNode::asDouble);
        return Figures.latency(micros.toArray());
    }

    private static Map<Figure, Double> waiting(Work work, JsonNode answer, long memoryBefore) {
        Figures.checkPayload(answer.required("payloadBytes").asInt());
        return Map.of(Figure.BYTES, (double) (memory(work) - memoryBefore) / work.jobs());
    }

    private static long memory(Work work) {
        return ServerInfo.of(Baton.uri(work.port())).usedMemory();
    }

    private static void check(Work work, JsonNode answer, String count) {
        int found = answer.required(count).asInt();
        if (found != work.jobs()) {
            throw new IllegalStateException(count + " jobs of BullMQ: " + found + " instead of " + work.jobs());
        }
    }

    private static String version(Path folder, String module) throws IOException {
        Path file = folder.resolve("node_modules").resolve(module).resolve("package.json");
        return JSON.readTree(Files.readString(file)).required("version").asString();
    }
}
