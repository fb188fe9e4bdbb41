import { type KeyObject, randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { KeyHolding, RosterMember } from "@conclave/cluster";
import { membersOf, type Roster } from "@conclave/platform/config";
import {
  coordinate,
  type Machine,
  SharedStandings,
  Signers,
  type WithStandings,
} from "@conclave/platform/coordination";
import { everyKey, heldKey, SignerClient, type SignerStatus } from "@conclave/platform/grpc";
import { processWorld } from "@conclave/platform/world";
import { loadAuthorityKey } from "@conclave/testbed/authority-key";
import { LaunchError, ProcessTable, stateLayout, waitUntil } from "@conclave/testbed/launch";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { answerOf } from "./answer-of.ts";
import { clusterRoster } from "./cluster-roster.ts";
import { orchestratorIdentity } from "./credentials.ts";
import { type RecordsPlace, recordFaults } from "./fault-records.ts";
import { stageLines } from "./stage-lines.ts";

/** Time for the health streams of running signers to answer. */
const SIGNERS_HEARD_MS = 5_000;
/** Time for a failed coordinator to clean up. */
const TIDY_MS = 5_000;

export const entropy = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

/**
 * The keys of every signer, by index and key id: one key, all keys, or those with a next epoch waiting. Rejects with a
 * LaunchError if a signer's answer is incomplete: a missing key would look as if the signer did not hold it.
 */
export const heldBySigners = async (
  heard: readonly Pick<HeardSigner, "index" | "id" | "client">[],
  which: "all" | "waiting" | { readonly keyId: string },
): Promise<ReadonlyMap<PartyIndex, ReadonlyMap<string, KeyHolding>>> =>
  new Map(
    await Promise.all(
      heard.map(async ({ index, id, client }) => {
        if (typeof which === "string") {
          return [index, await answerOf(id, () => everyKey(client, which))] as const;
        }
        const key = await answerOf(id, () => heldKey(client, which.keyId));
        return [index, new Map([[key.keyId, key]])] as const;
      }),
    ),
  );

/** A signer with its current status. */
export interface HeardSigner {
  readonly index: PartyIndex;
  readonly id: string;
  readonly client: SignerClient;
  readonly status: SignerStatus;
}

/**
 * Operates a cluster: connects to the signers as an orchestrator does, and signs authorisations as the gateway does. Each
 * state folder admits one operator at a time. Dispose of it when done.
 */
export class Operator implements Disposable {
  readonly roster: Roster;
  readonly members: ReadonlyMap<PartyIndex, RosterMember>;
  readonly authority: KeyObject;
  readonly #signers: Signers;
  readonly #clients: readonly SignerClient[];
  readonly #turn: ProcessTable;
  readonly #records: RecordsPlace;

  private constructor(
    records: RecordsPlace,
    roster: Roster,
    authority: KeyObject,
    clients: readonly SignerClient[],
    turn: ProcessTable,
  ) {
    this.#records = records;
    this.roster = roster;
    this.members = membersOf(roster);
    this.authority = authority;
    this.#clients = clients;
    this.#signers = new Signers(processWorld, roster, clients);
    this.#turn = turn;
    this.#signers.start();
  }

  /**
   * @param records the cluster's state folder, and where its records are
   * Rejects with a LaunchError if there is no cluster, or another operator works on it.
   */
  static async enter(records: RecordsPlace): Promise<Operator> {
    const { state } = records;
    const layout = stateLayout(state);
    const roster = await clusterRoster(state);
    const turn = new ProcessTable(join(layout.run, "operator"));
    if (turn.supervisor() !== undefined) {
      throw new LaunchError("another operator's command changes keys of this cluster", "Wait for its end.");
    }
    await turn.acquire();
    try {
      const tls = await orchestratorIdentity(layout, roster.clusterId);
      const clients = roster.signers.flatMap(({ index: number, address }) => {
        const index = partyIndex(number);
        return index === undefined ? [] : [new SignerClient({ index, address }, tls)];
      });
      return new Operator(records, roster, await loadAuthorityKey(layout, roster), clients, turn);
    } catch (cause) {
      turn.release();
      throw cause;
    }
  }

  get clients(): readonly SignerClient[] {
    return this.#clients;
  }

  /** The party indices of the roster, ascending. */
  get parties(): readonly PartyIndex[] {
    return [...this.members.keys()].sort((a, b) => a - b);
  }

  /** Waits until every signer is live. Rejects with a LaunchError that names the signers that are not. */
  async allLive(): Promise<void> {
    await waitUntil(() => (this.#signers.unavailable().length === 0 ? true : undefined), {
      what: () => `${this.#signers.unavailable().join(", ")} to answer`,
      deadlineMs: SIGNERS_HEARD_MS,
      remedy: "A change of shares takes every signer: start those and try again.",
    });
  }

  /** Reads the status of every signer. Rejects with a LaunchError if one does not answer. */
  async hear(): Promise<readonly HeardSigner[]> {
    return Promise.all(
      this.#clients.map(async (client) => {
        const id = this.members.get(client.index)?.id ?? `signer-${client.index}`;
        const status = await answerOf(id, () => client.getStatus());
        return { index: client.index, id, client, status };
      }),
    );
  }

  /**
   * Runs a coordinator with the signers until it closes.
   *
   * @param subject names it in the lines of its progress
   * @param say called with its progress each five seconds, the reason of a wait, and with the signers that are blamed, whose faults are recorded too
   * @returns the result. Rejects with a LaunchError if the run fails or is stopped
   */
  async run<State extends WithStandings, Value>(
    subject: string,
    machine: Machine<State, Value>,
    say: (line: string) => void,
    signal?: AbortSignal,
  ): Promise<Value> {
    using stages = stageLines(subject, say);
    // recorded at once: a change of shares may wait for hours, and evidence in memory is lost if the command dies
    const recorded: Promise<void>[] = [];
    const run = coordinate(processWorld, new SharedStandings(), machine, this.#signers, {
      fault: (blamed) => {
        say(blamed.verdict.sentence);
        recorded.push(recordFaults(this.#records, [blamed], say));
      },
      waiting: say,
      progress: stages.note,
    });
    signal?.addEventListener("abort", run.stop, { once: true });
    if (signal?.aborted === true) run.stop();
    const outcome = await run.outcome;
    signal?.removeEventListener("abort", run.stop);
    await Promise.all(recorded);
    switch (outcome.kind) {
      case "done":
        return outcome.value;
      case "failed": {
        await Promise.race([run.closed, delay(TIDY_MS)]);
        run.stop();
        const details = JSON.stringify(outcome.problem.details);
        throw new LaunchError(`${outcome.problem.message} ${details}`, "The key is as it was; try again.");
      }
      case "stopped":
        throw new LaunchError("stopped before the end", "The same command takes it up again.");
    }
  }

  [Symbol.dispose](): void {
    this.#signers.close();
    this.#turn.release();
  }
}
