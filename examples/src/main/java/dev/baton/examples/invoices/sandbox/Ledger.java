package dev.baton.examples.invoices.sandbox;

import java.util.Map;
import java.util.Set;

/**
 * What the providers have seen, by order. These numbers are the truth that the account is checked against.
 *
 * @param issued how many invoices were issued
 * @param numbers of the last one
 * @param taxCodes with the order, such as {@code 0123456789 of ..}; empty for a retail invoice
 * @param cancelled orders whose invoices were cancelled
 * @param overlaps how often a call came for an order while another one for it was in progress
 */
public record Ledger(
        Map<String, Integer> issued,
        Map<String, String> numbers,
        Map<String, String> taxCodes,
        Set<String> cancelled,
        int overlaps) {}
