import type { CoordinatorEffect } from "../../coordinator/effect.ts";
import type { CoordinatorEvent } from "../../coordinator/event.ts";
import type { Standings } from "../../coordinator/standings.ts";
import type { Machine } from "../../interpreter/coordination.ts";

export type ScriptedEffect = CoordinatorEffect<string>;

export interface ScriptedState {
  /** index of the next answer */
  readonly at: number;
  readonly health: Standings;
}

/** A machine with scripted effects: those of "open" and of each event, in order. */
export const scriptedMachine = (script: readonly (readonly ScriptedEffect[])[]) => {
  const heard: CoordinatorEvent[] = [];
  const machine: Machine<ScriptedState, string> = {
    open: ({ health }) => ({ state: { at: 1, health }, effects: script[0] ?? [] }),
    step: ({ at, health }, event) => {
      heard.push(event);
      return { state: { at: at + 1, health }, effects: script[at] ?? [] };
    },
  };
  return { machine, heard };
};
