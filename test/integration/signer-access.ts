import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandKind, KeyHolding, Lives, NamedSession } from "@conclave/cluster";
import type { Result } from "@conclave/custody";
import {
  everyKey,
  loadPassphrase,
  loadTls,
  SignerClient,
  type SignerStatus,
  type TlsIdentity,
} from "@conclave/platform";
import { livesOf } from "@conclave/platform/coordination";
import type { Cluster } from "@conclave/testbed";
import { type PartyIndex, partyIndex } from "@conclave/threshold";

const ASKED_MAX = 4;

/** The layout and description of a cluster: its addresses, and its members' folders. */
export type KnownCluster = Pick<Cluster, "layout" | "description">;

/** A member's own certificate and key, decrypted with its own key file. */
export const memberIdentity = async (
  {
    layout,
    description,
  }: Pick<Cluster, "layout"> & { readonly description: Pick<Cluster["description"], "clusterId"> },
  folder: string,
): Promise<TlsIdentity> => {
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const files = {
    authority: readFileSync(layout.ca, "utf8"),
    certificate: readFileSync(join(folder, "tls.crt"), "utf8"),
    key: readFileSync(join(folder, "tls.key"), "utf8"),
  };
  const tls = loadTls(files, description.clusterId, passphrase.value);
  if (!tls.ok) throw new Error(tls.problem.message);
  return tls.value;
};

const indexOf = (number: number): PartyIndex => {
  const index = partyIndex(number);
  if (index === undefined) throw new RangeError(`${number} is no party index`);
  return index;
};

/** Asks again after failures: a dead signer refuses at once, but a live one may be late on a busy machine. */
const heardOf = async <Value>(ask: () => Promise<Result<Value>>): Promise<Result<Value>> => {
  for (let asked = 1; ; asked += 1) {
    const answer = await ask();
    if (answer.ok || asked === ASKED_MAX) return answer;
  }
};

/** A cluster's signers with the orchestrator's own access, as a malicious orchestrator has it. */
export class SignerAccess {
  readonly #clients: ReadonlyMap<string, SignerClient>;

  private constructor(clients: ReadonlyMap<string, SignerClient>) {
    this.#clients = clients;
  }

  static async open(cluster: KnownCluster): Promise<SignerAccess> {
    const tls = await memberIdentity(cluster, cluster.layout.orchestrator);
    const entries = cluster.description.signers.map(({ id, index, address }) => {
      return [id, new SignerClient({ index: indexOf(index), address }, tls)] as const;
    });
    return new SignerAccess(new Map(entries));
  }

  /** The signers' current lives. */
  lives(): Promise<Lives> {
    return livesOf([...this.#clients.values()]);
  }

  /** A session under a fresh id. */
  async freshSession(): Promise<NamedSession> {
    return { session: new Uint8Array(randomBytes(32)), lives: await this.lives() };
  }

  client(id: string): SignerClient {
    const client = this.#clients.get(id);
    if (client === undefined) throw new Error(`there is no ${id}`);
    return client;
  }

  /** The status of each signer that answers, by its id. */
  async statuses(): Promise<ReadonlyMap<string, SignerStatus>> {
    return this.#heard((client) => client.getStatus());
  }

  /** The keys of each signer that answers, by its id. */
  async holdings(): Promise<ReadonlyMap<string, readonly KeyHolding[]>> {
    const held = await this.#heard((client) => everyKey(client, "all"));
    return new Map([...held].map(([id, keys]) => [id, [...keys.values()]]));
  }

  /** The keys that each signer that answers holds, by the signer's id: "key-…: active". */
  async keys(): Promise<Readonly<Record<string, readonly string[]>>> {
    const held = await this.holdings();
    return Object.fromEntries(
      [...held].map(([id, keys]) => [
        id,
        keys
          .filter(({ state }) => state !== "absent")
          .map(({ keyId, state }) => `${keyId}: ${state}`)
          .sort(),
      ]),
    );
  }

  /** Whether this signer has an open session of the protocol. */
  async isInSession(id: string, protocol: CommandKind): Promise<boolean> {
    const status = await this.client(id).getStatus();
    return status.ok && status.value.sessions.some((session) => session.protocol === protocol);
  }

  async #heard<Value>(
    ask: (client: SignerClient) => Promise<Result<Value>>,
  ): Promise<ReadonlyMap<string, Value>> {
    const answers = await Promise.all(
      [...this.#clients].map(async ([id, client]) => [id, await heardOf(() => ask(client))] as const),
    );
    return new Map(answers.flatMap(([id, answer]) => (answer.ok ? [[id, answer.value] as const] : [])));
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }
}
