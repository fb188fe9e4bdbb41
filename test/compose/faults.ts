import { waitUntil } from "@conclave/testbed/launch";
import { compose, link } from "./docker.ts";

const HEALTHY_MS = 180_000;

/** Something that happens to containers while transfers go on, and how it ends. */
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
 * A container that was killed by hand counts as stopped: nothing starts it again by itself. A container that
 * was paused is unhealthy until it is asked again, at once.
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

/** After these nothing goes until they are healed. */
export const OUTAGES: readonly ContainerFault[] = [
  { what: "the orchestrator is killed", begin: () => kill("orchestrator"), end: up },
  { what: "the gateway is killed", begin: () => kill("gateway"), end: up },
  { what: "the database is killed", begin: () => kill("postgres"), end: up },
  { what: "the bus is killed", begin: () => kill("nats"), end: up },
  { what: "all are killed at once", begin: () => kill(...SERVICES), end: up },
];
