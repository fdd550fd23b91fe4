package dev.baton.redis;

/**
 * The first line of a job record: all that the scripts know of a job.
 *
 * @param starts that have ended
 * @param attempts that are used up
 * @param enqueuedAt in ms since 1970
 * @param firstFailureAt in ms since 1970, or 0 if it has not failed
 * @param orderingKey empty if it has none
 * @param uniqueId empty if it has none
 */
record JobHead(
        int starts,
        int attempts,
        long enqueuedAt,
        long firstFailureAt,
        int priority,
        String orderingKey,
        String uniqueId) {

    /** Reads the line; any exception means that it is none. */
    static JobHead parse(String line) {
        int key = line.indexOf('\t');
        int unique = line.indexOf('\t', key + 1);
        if (unique < 0) {
            throw new IllegalArgumentException("not the first line of a job record");
        }
        int attempts = line.indexOf(' ') + 1;
        int enqueuedAt = line.indexOf(' ', attempts) + 1;
        int firstFailureAt = line.indexOf(' ', enqueuedAt) + 1;
        int priority = line.indexOf(' ', firstFailureAt) + 1;
        return new JobHead(
                Integer.parseInt(line, 0, attempts - 1, 10),
                Integer.parseInt(line, attempts, enqueuedAt - 1, 10),
                Long.parseLong(line, enqueuedAt, firstFailureAt - 1, 10),
                Long.parseLong(line, firstFailureAt, priority - 1, 10),
                Integer.parseInt(line, priority, key, 10),
                line.substring(key + 1, unique),
                line.substring(unique + 1));
    }
}
