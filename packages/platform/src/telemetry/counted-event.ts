import { type LogLevel, logEvent, type WriteEvent } from "./log-event.ts";
import { Counter, type Metrics } from "./metrics.ts";

/** The declaration of a counter; each registry makes its own counter from it. */
export interface DeclaredCounter<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
}

/** How an event counts. */
interface Counted<Fields, Label extends string> {
  readonly counter: DeclaredCounter<Label>;
  readonly labels: (fields: Fields) => Readonly<Record<Label, string>>;
  /** by how much one log line raises the counter; 1 when absent */
  readonly by?: (fields: Fields) => number;
}

/** The declared counter in these metrics; several events may share it. */
export const counterIn = <Label extends string>(
  { registry }: Pick<Metrics, "registry">,
  { name, help, labelNames }: DeclaredCounter<Label>,
): Counter<Label> => {
  const known = registry.getSingleMetric(name);
  return known instanceof Counter ? known : new Counter({ name, help, labelNames, registers: [registry] });
};

/**
 * Declares a log event that a metric counts, as `logEvent` declares others.
 *
 * @returns a function that registers the counter in a process's metrics, and returns the function that writes one line
 * and counts it
 */
export const countedEvent =
  <Fields extends object>() =>
  <Level extends LogLevel, Label extends string>(
    level: Level,
    event: string,
    sentence: string,
    { counter: declared, labels, by = () => 1 }: Counted<Fields, Label>,
  ) => {
    const write = logEvent<Fields>()(level, event, sentence);
    return (metrics: Pick<Metrics, "registry">): WriteEvent<Fields, Level> => {
      const counter = counterIn(metrics, declared);
      return (log, fields) => {
        counter.inc(labels(fields), by(fields));
        write(log, fields);
      };
    };
  };
