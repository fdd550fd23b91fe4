package dev.baton.redis;

import java.util.ArrayList;
import java.util.List;

/** What an operator does to a {@link ModelQueue}. */
final class ModelAdmin {
    private final ModelPlaces places;

    ModelAdmin(ModelPlaces places) {
        this.places = places;
    }

    /** Answers the state that the job was in, or an empty text. */
    String remove(String id) {
        String state = places.stateOf(id);
        if (state.isEmpty() || state.equals("LEASED")) {
            return state;
        }
        ModelJob job = places.job(id);
        places.jobs.remove(id);
        if (state.equals("READY") && places.urgent.remove(id) == null) {
            places.ghosts.add(id);
        }
        places.delayed.remove(id);
        places.blocked.remove(id);
        if (places.dead.remove(id) == null && places.completed.remove(id) == null) {
            places.end(job);
        }
        return state;
    }

    /** Answers how many places were emptied. */
    int drain(String state, int most) {
        List<String> ids = new ArrayList<>();
        switch (state) {
            case "READY" -> {
                places.pop(ids, most);
                ModelPlaces.first(places.urgent, most - ids.size()).forEach(id -> {
                    places.urgent.remove(id);
                    ids.add(id);
                });
            }
            case "LEASED" ->
                ModelPlaces.first(places.leased, most).forEach(member -> {
                    places.leased.remove(member);
                    ids.add(member.substring(0, member.lastIndexOf('#')));
                });
            case "DELAYED" -> ids.addAll(ModelPlaces.first(places.delayed, most));
            case "BLOCKED" -> ids.addAll(ModelPlaces.first(places.blocked, most));
            case "DEAD" -> ids.addAll(ModelPlaces.first(places.dead, most));
            default -> ids.addAll(ModelPlaces.first(places.completed, most));
        }
        for (String id : ids) {
            if (!places.ghosts.remove(id)) {
                ModelJob job = places.job(id);
                places.jobs.remove(id);
                places.delayed.remove(id);
                places.blocked.remove(id);
                if (places.dead.remove(id) == null && places.completed.remove(id) == null) {
                    places.end(job);
                }
            }
        }
        return ids.size();
    }

    boolean runNow(String id) {
        return places.stateOf(id).equals("DELAYED") && places.delayed.put(id, places.now) != null;
    }

    boolean retry(String id) {
        if (!places.dead.containsKey(id)) {
            return false;
        }
        String unique = places.job(id).unique;
        if (!unique.isEmpty() && places.uniques.putIfAbsent(unique, id) != null) {
            return false;
        }
        places.dead.remove(id);
        places.job(id).startAfresh();
        places.delayed.put(id, places.now);
        return true;
    }
}
