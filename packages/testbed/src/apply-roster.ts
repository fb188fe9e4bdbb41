import { holdersOf, loadRoster } from "@conclave/platform";
import { LaunchError } from "./launch-error.ts";
import { neighboursOf } from "./links/neighbours.ts";
import { gatewayName, orchestratorName, signerName } from "./parts/process-name.ts";
import { signerPorts } from "./ports.ts";
import { takeRenewalTurn } from "./provision/renewal-turn.ts";
import { identityIn } from "./provision/roster.ts";
import { signersHeard } from "./readiness.ts";
import { type ServicesStart, startAnew, startSignerProcess, writeShared } from "./services.ts";

type Say = (line: string) => void;

/**
 * Reads the roster of a running cluster again, chooses ports for new signers, and writes their addresses into the roster.
 * Rejects with a LaunchError if it is not a roster of this cluster, or another command is writing it.
 */
export const readRosterAnew = async (start: ServicesStart): Promise<ServicesStart> => {
  const { layout, options, identity, ports, links } = start;
  const turn = takeRenewalTurn(layout);
  try {
    const roster = await loadRoster(layout.roster);
    const isOurs =
      roster.clusterId === identity.clusterId &&
      roster.authorityKey === identity.authorityKey &&
      roster.parameters === options.parameters;
    if (!isOurs) {
      throw new LaunchError(
        `${layout.roster} is of another cluster than the one that runs`,
        "Put its own roster back.",
      );
    }
    const indices = roster.signers.map(({ index }) => index);
    const chosen = new Map([
      ...ports.signers,
      ...(await signerPorts(
        options,
        indices.filter((index) => !ports.signers.has(index)),
      )),
    ]);
    const next: ServicesStart = {
      ...start,
      options: { ...options, signers: holdersOf(roster).length, threshold: roster.threshold },
      identity: identityIn(roster),
      ports: { ...ports, signers: new Map([...chosen].filter(([index]) => indices.includes(index))) },
    };
    await links.extend(neighboursOf(next.options, next.ports));
    turn.stillHeld();
    writeShared(next);
    return next;
  } finally {
    turn.release();
  }
};

const runningSigners = ({ supervisor, identity }: ServicesStart): readonly number[] => {
  const running = new Set(
    supervisor.status().flatMap(({ name, state }) => (state === "running" ? [name] : [])),
  );
  return identity.signers.map(({ index }) => index).filter((index) => running.has(signerName(index)));
};

/**
 * Whether the processes of a cluster already run with this roster, provided the previous one was applied to all of them.
 */
export const runsBy = (next: ServicesStart, before: ServicesStart): boolean =>
  JSON.stringify([next.identity, next.options.threshold]) ===
    JSON.stringify([before.identity, before.options.threshold]) &&
  runningSigners(next).length === next.identity.signers.length;

/** Waits until every orchestrator receives reports from these signers. */
const heard = async ({ ports, options }: ServicesStart, indices: readonly number[]): Promise<void> => {
  for (const port of ports.orchestrators) {
    await signersHeard(`http://127.0.0.1:${port}`, indices, options.signal);
  }
};

/** Stops the processes of signers that the roster no longer has. */
const stopFormer = async ({ supervisor, identity }: ServicesStart, say: Say): Promise<void> => {
  const members = identity.signers.map(({ index }) => signerName(index));
  const former = supervisor
    .names()
    .filter((name) => name.startsWith(signerName(0).slice(0, -1)) && !members.includes(name));
  for (const name of former) {
    await supervisor.forget(name);
    say(`${name} is in the roster no more; stopped`);
  }
};

/**
 * Restarts all service processes with the new roster: gateways, orchestrators, then signers, beginning with those that do
 * not run. Each other signer is restarted after orchestrators receive reports from the one before. Rejects with a
 * LaunchError if a process does not serve again.
 */
export const rollOver = async (start: ServicesStart, say: Say): Promise<void> => {
  const { ports, identity, supervisor } = start;
  const services = [
    ...ports.gateways.map((_, at) => gatewayName(at + 1)),
    ...ports.orchestrators.map((_, at) => orchestratorName(at + 1)),
  ];
  for (const name of services) {
    await startAnew(start, name);
    say(`${name} runs by the roster`);
  }
  const running = runningSigners(start);
  await heard(start, running);
  const others = identity.signers.map(({ index }) => index).filter((index) => !running.includes(index));
  for (const index of [...others, ...running]) {
    await supervisor.stop([signerName(index)]);
    await startSignerProcess(start, index);
    await heard(start, [index]);
    say(`${signerName(index)} runs by the roster`);
  }
  await stopFormer(start, say);
};
