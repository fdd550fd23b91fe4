package dev.baton.redis;

/**
 * The right of one worker to one job.
 *
 * @param id of the job
 * @param token proof of holding it; another one each time the job is handed out
 */
record Lease(String id, String token) {}
