import type { CoordinatorEffect } from "../../coordinator/effect.ts";
import type { CoordinatorEvent } from "../../coordinator/event.ts";
import type { Machine } from "../../interpreter/coordination.ts";

export type ScriptedEffect = CoordinatorEffect<string>;

/** A machine that says what the test scripts: its answers to "open" and to each event, in order. */
export const scriptedMachine = (script: readonly (readonly ScriptedEffect[])[]) => {
  const heard: CoordinatorEvent[] = [];
  const machine: Machine<number, string> = {
    open: () => ({ state: 1, effects: script[0] ?? [] }),
    step: (state, event) => {
      heard.push(event);
      return { state: state + 1, effects: script[state] ?? [] };
    },
  };
  return { machine, heard };
};
