/**
 * JSON over HTTP with what the JDK has: {@link dev.baton.examples.shop.web.JsonServer} for the API and for the sandbox,
 * {@link dev.baton.examples.shop.web.JsonClient} for the three foreign services. Nothing here is about the shop.
 */
@NullMarked
package dev.baton.examples.shop.web;

import org.jspecify.annotations.NullMarked;
