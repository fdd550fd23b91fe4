package dev.baton.examples.invoices;

import dev.baton.examples.web.JsonClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The providers over HTTP. An answer that is no success becomes the error class that it means: see {@link JsonClient}. */
public final class HttpInvoiceProvider implements InvoiceProvider {
    private final JsonClient http;

    /** @param http for their address, which is one gateway here */
    public HttpInvoiceProvider(JsonClient http) {
        this.http = http;
    }

    @Override
    public Optional<String> findByReference(UUID reference) throws IOException, InterruptedException {
        return http.get("/invoices?reference=" + reference, Found.class, "provider: find invoice").invoices().stream()
                .map(Issued::number)
                .findFirst();
    }

    @Override
    public String issue(String provider, UUID reference, long amount, @Nullable String taxCode)
            throws IOException, InterruptedException {
        NewInvoice body = new NewInvoice(provider, reference.toString(), amount, taxCode);
        return http.post("/invoices", Map.of(), body, Issued.class, "provider: issue invoice")
                .number();
    }

    @Override
    public void cancel(UUID reference) throws IOException, InterruptedException {
        String path = "/invoices/" + reference + "/cancel";
        http.post(path, Map.of(), Map.of(), Map.class, "provider: cancel invoice");
    }

    private record NewInvoice(
            String provider,
            String reference,
            long amount,
            @Nullable String taxCode) {}

    private record Found(List<Issued> invoices) {}

    private record Issued(String number) {}
}
