import type { EndSignal } from "@conclave/custody";
import type { InjectedFault, PlannedFault, Stage } from "./fault.ts";
import type { Place } from "./place.ts";
import { plannedText } from "./print.ts";

/** Longer than any load: how long a fault without an end of its own may wait for the end of the load. */
const LONGEST_MS = 24 * 60 * 60_000;

/** Undoes a fault: restarts the processes that it ended, and opens the links that it cut. */
export type Heal = () => Promise<void>;

/** Makes faults happen, in processes or in a simulator. */
export interface FaultInjector {
  /**
   * Begins a fault. @returns once it is in effect, with the function that heals it. @throws when the fault cannot be made
   */
  inject(fault: InjectedFault): Promise<Heal>;
  /**
   * Has a process die when its code reaches a named point for the nth time. @returns once the process has died there, or as
   * soon as `given` aborts, with the function that heals it. @param hit n
   */
  dieAt(place: Place, point: string, hit: number, given: EndSignal): Promise<Heal>;
}

/** The target of a plan. */
export interface ChaosRun {
  readonly injector: FaultInjector;
  /** milliseconds since the load began */
  readonly elapsedMs: () => number;
  /** returns after this many milliseconds, or as soon as the signal aborts */
  readonly sleep: (ms: number, until: EndSignal) => Promise<void>;
  /** returns once a request of the load has reached a stage, or as soon as the signal aborts */
  readonly reached: (request: number, stage: Stage, until: EndSignal) => Promise<void>;
  /** aborts when the load has ended: every fault is healed then, and none begins any more */
  readonly ended: EndSignal;
  /** receives a line for each fault that begins or heals */
  readonly report: (words: string) => void;
}

/** The outcome of a planned fault; times are milliseconds since the load began. */
export interface FaultOutcome {
  /** the line of the plan */
  readonly text: string;
  readonly kind: InjectedFault["kind"];
  /** undefined when its moment never came */
  readonly beganMs: number | undefined;
  readonly healedMs: number | undefined;
  /** why the fault could not be made or healed; undefined when neither failed */
  readonly trouble: string | undefined;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Waits for a fault's moment and begins it. @returns undefined when the load ends first */
const begin = async (run: ChaosRun, { fault, start }: PlannedFault): Promise<Heal | undefined> => {
  const { injector, ended } = run;
  switch (start.kind) {
    case "time":
      await run.sleep(Math.max(0, start.ms - run.elapsedMs()), ended);
      break;
    case "request":
      await run.reached(start.number, start.stage, ended);
      break;
    case "point": {
      const [place] = fault.kind === "kill" ? fault.places : [];
      if (place === undefined) throw new Error("only a kill begins at a point");
      const heal = await injector.dieAt(place, start.point, start.hit, ended);
      return ended.aborted ? heal().then(() => undefined) : heal;
    }
  }
  return ended.aborted ? undefined : injector.inject(fault);
};

const carryOutOne = async (run: ChaosRun, planned: PlannedFault): Promise<FaultOutcome> => {
  const outcome = { text: plannedText(planned), kind: planned.fault.kind };
  let beganMs: number | undefined;
  try {
    const heal = await begin(run, planned);
    if (heal === undefined) return { ...outcome, beganMs, healedMs: undefined, trouble: undefined };
    beganMs = run.elapsedMs();
    run.report(`begun: ${outcome.text}`);
    await run.sleep(planned.lastsMs ?? LONGEST_MS, run.ended);
    await heal();
    run.report(`healed: ${outcome.text}`);
    return { ...outcome, beganMs, healedMs: run.elapsedMs(), trouble: undefined };
  } catch (error) {
    run.report(`not ${beganMs === undefined ? "begun" : "healed"}: ${outcome.text}: ${wordsOf(error)}`);
    return { ...outcome, beganMs, healedMs: undefined, trouble: wordsOf(error) };
  }
};

/**
 * Carries out the faults of a plan, each at its moment whether or not others last, and heals them all at the end.
 * @returns one outcome for each fault, in the order of the plan, once all are healed
 */
export const carryOut = (run: ChaosRun, faults: readonly PlannedFault[]): Promise<readonly FaultOutcome[]> =>
  Promise.all(faults.map((planned) => carryOutOne(run, planned)));
