package dev.baton.examples.invoices;

import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import java.io.IOException;

/** Runs one process of the invoice service, as {@code mvn -q -Pinvoices -Dprocess=..} says. */
public final class Invoices {
    private Invoices() {}

    /** Arguments: {@code demo}, {@code api}, {@code worker} or {@code provider}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args.length == 0 ? "demo" : args[0]) {
            case "demo" -> InvoicesDemo.main(args);
            case "api" -> InvoicesApi.main(args);
            case "worker" -> InvoicesWorker.main(args);
            case "provider" -> ProviderSandbox.main(args);
            default -> {
                System.err.println("process is " + args[0] + "; it must be demo, api, worker or provider");
                System.exit(2);
            }
        }
    }
}
