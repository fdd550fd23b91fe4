package dev.baton.examples.shop;

import dev.baton.examples.sandbox.ScriptedFaults;
import dev.baton.examples.service.Database;
import dev.baton.examples.shop.demo.ShopServers;
import dev.baton.examples.shop.orders.Order;
import dev.baton.examples.shop.orders.OrderRepository;
import dev.baton.examples.shop.orders.OrdersService;
import dev.baton.examples.shop.payments.HttpPaymentGateway;
import dev.baton.examples.shop.payments.Payment;
import dev.baton.examples.shop.payments.PaymentRepository;
import dev.baton.examples.shop.payments.PaymentsService;
import dev.baton.examples.shop.sandbox.Sandbox;
import dev.baton.examples.web.JsonClient;
import dev.baton.jdbi.JdbiOutboxWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** An empty shop with a sandbox of its own, on real servers. */
final class ShopFixture implements AutoCloseable {
    final ScriptedFaults faults = new ScriptedFaults();
    final Sandbox sandbox;
    final ShopConfig config;
    final Database database;
    final JsonClient foreign;
    final PaymentRepository paymentRepository = new PaymentRepository(new JdbiOutboxWriter());
    final OrderRepository orderRepository = new OrderRepository(new JdbiOutboxWriter());
    final OrdersService orders;
    final PaymentsService payments;

    ShopFixture() throws IOException {
        sandbox = Sandbox.start(faults);
        config = ShopServers.freshShop(sandbox.uri(), Duration.ofSeconds(5));
        database = Database.open(config.databaseUrl(), ShopApi.class);
        foreign = new JsonClient(sandbox.uri(), ShopConfig.CALL_TIMEOUT);
        HttpPaymentGateway gateway = new HttpPaymentGateway(foreign);
        orders = new OrdersService(database.jdbi(), orderRepository, paymentRepository, gateway);
        payments = new PaymentsService(database.jdbi(), paymentRepository, gateway);
    }

    Jdbi jdbi() {
        return database.jdbi();
    }

    UUID placeOrder() throws IOException, InterruptedException {
        Order order = orders.place("customer-1", 250_000);
        return order.id();
    }

    Payment payment(UUID orderId) {
        return jdbi().withHandle(handle -> paymentRepository.find(handle, orderId))
                .orElseThrow();
    }

    long events(String topic) {
        return jdbi().withHandle(handle -> handle.createQuery("SELECT count(*) FROM outbox_events WHERE topic = ?")
                .bind(0, topic)
                .mapTo(Long.class)
                .one());
    }

    long rows(String table) {
        return jdbi().withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + table)
                .mapTo(Long.class)
                .one());
    }

    @Override
    public void close() {
        database.close();
        sandbox.close();
    }
}
