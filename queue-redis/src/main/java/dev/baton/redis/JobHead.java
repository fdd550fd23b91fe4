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
        String[] parts = line.split("\t", -1);
        String[] numbers = parts[0].split(" ", -1);
        if (parts.length != 3 || numbers.length != 5) {
            throw new IllegalArgumentException("not the first line of a job record");
        }
        return new JobHead(
                Integer.parseInt(numbers[0]),
                Integer.parseInt(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]),
                Integer.parseInt(numbers[4]),
                parts[1],
                parts[2]);
    }
}
