package dev.baton.examples.tickets;

import java.io.IOException;

/** Runs one process of the ticket office, as {@code mvn -q -Ptickets -Dprocess=..} says. */
public final class Tickets {
    private Tickets() {}

    /** Arguments: {@code demo}, {@code api} or {@code worker}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args.length == 0 ? "demo" : args[0]) {
            case "demo" -> TicketsDemo.main(args);
            case "api" -> TicketsApi.main(args);
            case "worker" -> TicketsWorker.main(args);
            default -> {
                System.err.println("process is " + args[0] + "; it must be demo, api or worker");
                System.exit(2);
            }
        }
    }
}
