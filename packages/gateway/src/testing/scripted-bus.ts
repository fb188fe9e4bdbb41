import { type Bus, doneSubject, processWorld } from "@conclave/platform";
import { openMemoryBroker } from "@conclave/platform/testing";

export interface ScriptedBus extends Pick<Bus, "connected" | "hear"> {
  /** Signals to the waiters for this id that it is settled. */
  settle(id: string): void;
  /** Disconnects the bus, or reconnects it. */
  setConnected(connected: boolean): void;
}

/** A bus in memory for the gateway's subscriptions. */
export const makeScriptedBus = (): ScriptedBus => {
  const broker = openMemoryBroker(processWorld);
  const { connected, hear, signal } = broker.connect();
  return {
    connected,
    hear,
    settle: (id) => signal(doneSubject(id)),
    setConnected: (isUp) => (isUp ? broker.start() : broker.kill()),
  };
};
