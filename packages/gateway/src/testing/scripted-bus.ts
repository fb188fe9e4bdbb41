import { type Bus, doneSubject, processWorld } from "@conclave/platform";
import { openMemoryBroker } from "@conclave/platform/testing";

export interface ScriptedBus extends Pick<Bus, "connected" | "hear"> {
  /** Tells those who hear this id that it is settled. */
  settle(id: string): void;
  /** Takes the bus away, or brings it back. */
  setConnected(connected: boolean): void;
}

/** A bus in memory, for what the gateway hears. */
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
