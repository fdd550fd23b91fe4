package dev.baton.redis;

/**
 * The right of one worker to one job.
 *
 * @param id of the job
 * @param token proof of holding it; another one each time the job is handed out
 * @param orderingKey to be passed on when the job ends; empty if there is none
 * @param uniqueId to be freed when the job ends; empty if there is none
 */
record Lease(String id, String token, String orderingKey, String uniqueId) {}
