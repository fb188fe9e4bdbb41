import { waitUntil } from "@conclave/testbed/launch";
import { compose, link } from "./docker.ts";

const HEALTHY_MS = 180_000;

/** A fault of containers while transfers go on, and its repair. */
export interface ContainerFault {
  readonly what: string;
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

const SERVICES = [
  "postgres",
  "nats",
  "anvil",
  "gateway",
  "orchestrator",
  "signer-1",
  "signer-2",
  "signer-3",
  "signer-4",
  "signer-5",
];
const kill = (...services: readonly string[]) => compose("kill", "--signal", "SIGKILL", ...services);
/**
 * Starts containers again and waits until all are healthy. A container that was killed by hand counts as stopped, so
 * nothing else restarts it. A paused one stays unhealthy until its next check.
 */
const up = (): Promise<string> =>
  waitUntil(() => compose("up", "--detach", "--wait").catch(() => undefined), {
    what: "a cluster whose parts are all healthy",
    deadlineMs: HEALTHY_MS,
    pollMs: 1_000,
  });

export const FAULTS: readonly ContainerFault[] = [
  { what: "signer-2 is killed", begin: () => kill("signer-2"), end: up },
  {
    what: "signer-3 is paused",
    begin: () => compose("pause", "signer-3"),
    end: () => compose("unpause", "signer-3").then(up),
  },
  {
    what: "signer-4 is off its network",
    begin: () => link("disconnect", "mesh", "signer-4"),
    end: () => link("connect", "mesh", "signer-4").then(up),
  },
];

/** During these faults no transfer can go on. */
export const OUTAGES: readonly ContainerFault[] = [
  { what: "the orchestrator is killed", begin: () => kill("orchestrator"), end: up },
  { what: "the gateway is killed", begin: () => kill("gateway"), end: up },
  { what: "the database is killed", begin: () => kill("postgres"), end: up },
  { what: "the bus is killed", begin: () => kill("nats"), end: up },
  { what: "all are killed at once", begin: () => kill(...SERVICES), end: up },
];
