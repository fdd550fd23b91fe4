/**
 * Events as HTTP requests: a {@link dev.baton.webhook.WebhookSink} posts each one, signed, to a foreign service.
 */
@NullMarked
package dev.baton.webhook;

import org.jspecify.annotations.NullMarked;
