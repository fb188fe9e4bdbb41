import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import type { WalletSample } from "@conclave/chains/testing/ledgers";
import {
  authorisedActSchema,
  authorisedSignatureSchema,
  type KeyId,
  type KeyScheme,
  networkSchema,
  signatureIdSchema,
  transferIdSchema,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { freshId, insertWallet, readSignature, readTransfer } from "@conclave/platform";
import { expect } from "vitest";
import { z } from "zod";
import { activateKey } from "./activate-key.ts";
import { errorOf, transferOf } from "./bodies.ts";
import { startWorld, type World } from "./world.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const walletSchema = z.object({ id: z.string(), address: z.string() });

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A gateway that serves a network of a family, with a wallet whose key has signed nothing yet. */
export class FamilyWorld {
  readonly world: World;
  readonly network: string;
  readonly wallet: z.infer<typeof walletSchema>;
  readonly path: string;
  readonly #bytesKind: WalletSample["bytesKind"];

  constructor(
    world: World,
    network: string,
    wallet: z.infer<typeof walletSchema>,
    bytesKind: WalletSample["bytesKind"],
  ) {
    this.world = world;
    this.network = network;
    this.wallet = wallet;
    this.path = `/wallets/${wallet.id}`;
    this.#bytesKind = bytesKind;
  }

  /** The body of a request with a caller's own bytes. @param bytes hex with 0x */
  readonly bodyOf = (bytes: string): object => ({
    kind: this.#bytesKind,
    [this.#bytesKind.toLowerCase()]: bytes,
  });
  readonly send = (body: object) => this.world.call("POST", `${this.path}/transfers`, body);
  readonly broadcast = (bytes: string) =>
    this.world.call("POST", `${this.path}/transactions`, this.bodyOf(bytes));
  readonly sign = (body: object, from: string = this.path) =>
    this.world.call("POST", `${from}/signatures`, body);

  /** The authorised act of the transfer in an answer. */
  readonly actOf = async (body: unknown) => {
    const stored = await readTransfer(this.world.database, transferIdSchema.parse(transferOf(body).id));
    const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail("it is not authorised"));
    return authorisedActSchema.parse(JSON.parse(text.toString()));
  };

  /** The authorised content of the signature in an answer. */
  readonly signatureOf = async (body: unknown) => {
    const id = signatureIdSchema.parse(z.object({ id: z.string() }).parse(body).id);
    const stored = await readSignature(this.world.database, id);
    const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail("it is not authorised"));
    return authorisedSignatureSchema.parse(JSON.parse(text.toString()));
  };

  /** Makes a transfer and marks it as landed. */
  readonly settle = async (body: object, fee: string): Promise<void> => {
    const { id } = transferOf((await this.send(body)).body);
    await this.world.database.execute(
      `update chain_requests set status = 'Confirmed', tx_hash = $2, block_number = 5, fee = $3,
         date_broadcasted = now(), date_confirmed = now() where id = $1`,
      [id, id, fee],
    );
  };

  /** Runs the work under one policy that blocks, and archives the policy. */
  readonly under = async <T>(kind: string, configuration: object, work: () => Promise<T>): Promise<T> => {
    const { body } = await this.world.call("POST", "/v2/policies", {
      name: "test",
      activityKind: "Wallets:Sign",
      rule: { kind, configuration },
      action: { kind: "Block" },
    });
    try {
      return await work();
    } finally {
      await this.world.call("DELETE", `/v2/policies/${z.object({ id: z.string() }).parse(body).id}`, {});
    }
  };
}

export const codeOf = ({ status, body }: Answer) => [status, errorOf(body).details.code];

export const statusOf = async (asked: Promise<{ readonly body: unknown }>): Promise<string> =>
  z.object({ status: z.string() }).parse((await asked).body).status;

/** Stores a wallet for a key, as a gateway of another network would. */
export const enterWalletOn = (
  connection: Parameters<typeof insertWallet>[0],
  { orgId }: World["caller"],
  keyId: KeyId,
  network: string,
) =>
  insertWallet(connection, {
    id: freshId(walletIdSchema, "wa"),
    orgId,
    keyId,
    name: undefined,
    network: networkSchema.parse(network),
    externalId: undefined,
    tags: [],
    requester: { userId: freshId(userIdSchema, "us") },
    requestBody: {},
    dateCreated: DATE,
    status: "Creating",
  });

/** Makes a wallet for a key that the test made. */
export const walletOfKey = async (
  world: World,
  network: string,
  scheme: KeyScheme,
  publicKey: Uint8Array,
) => {
  const signingKey = { id: await activateKey(world, scheme, publicKey) };
  const { body } = await world.call("POST", "/wallets", { network, signingKey });
  return walletSchema.parse(body);
};

/** Starts a gateway with the wallet of a sample. @param url of a node of its network */
export const startFamilyWorld = async (
  { entryAt, scheme, key, bytesKind }: WalletSample,
  url: string,
): Promise<FamilyWorld> => {
  const entry = entryAt(url);
  const { network } = entry;
  const world = await startWorld({
    further: { family: FAMILIES.familyOf(network), node: NODES.connect(entry) },
  });
  return new FamilyWorld(world, network, await walletOfKey(world, network, scheme, key.publicKey), bytesKind);
};
