export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** The part of a logger that writes at these levels. */
export type LevelLogger<Level extends LogLevel> = {
  readonly [Each in Level]: (fields: object, sentence: string) => void;
};

/** Writes one line about an event. */
export type WriteEvent<Fields extends object, Level extends LogLevel> = (
  log: LevelLogger<Level>,
  fields: Fields,
) => void;

/**
 * Declares an event of a service's log, once: its level, its name, its fields and its sentence for people.
 *
 * @param event the name, which each line has in the field `event`
 * @param sentence the same for every line; a function if the sentence contains fields
 * @returns a function that writes one line about the event
 */
export const logEvent =
  <Fields extends object = Record<never, never>>() =>
  <Level extends LogLevel>(
    level: Level,
    event: string,
    sentence: string | ((fields: Fields) => string),
  ): WriteEvent<Fields, Level> =>
  (log, fields) =>
    log[level]({ event, ...fields }, typeof sentence === "string" ? sentence : sentence(fields));
