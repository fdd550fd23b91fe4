package dev.baton.examples.shop;

import dev.baton.examples.shop.sandbox.Sandbox;
import java.io.IOException;

/** Runs one process of the shop, as {@code mvn -q -Pshop -Dprocess=..} says. */
public final class Shop {
    private Shop() {}

    /** Arguments: {@code demo}, {@code api}, {@code worker} or {@code sandbox}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args.length == 0 ? "demo" : args[0]) {
            case "demo" -> ShopDemo.main(args);
            case "api" -> ShopApi.main(args);
            case "worker" -> ShopWorker.main(args);
            case "sandbox" -> Sandbox.main(args);
            default -> {
                System.err.println("process is " + args[0] + "; it must be demo, api, worker or sandbox");
                System.exit(2);
            }
        }
    }
}
