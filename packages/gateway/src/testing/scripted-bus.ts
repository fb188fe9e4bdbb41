import { type Bus, doneSubject } from "@conclave/platform";

export interface ScriptedBus extends Pick<Bus, "connected" | "hear"> {
  /** Tells those who hear this id that it is settled. */
  settle(id: string): void;
  /** Takes the bus away, or brings it back. */
  setConnected(connected: boolean): void;
}

/** A bus in memory, for what the gateway hears. */
export const makeScriptedBus = (): ScriptedBus => {
  const listeners = new Map<string, Set<() => void>>();
  let up = true;
  return {
    connected: () => up,
    setConnected: (connected) => {
      up = connected;
    },
    settle: (id) => {
      const subject = doneSubject(id);
      if (!up) return;
      for (const listener of listeners.get(subject) ?? []) listener();
    },
    hear: (subject, onSignal) => {
      const ours = listeners.get(subject) ?? new Set();
      listeners.set(subject, ours.add(onSignal));
      return { stop: () => ours.delete(onSignal) };
    },
  };
};
