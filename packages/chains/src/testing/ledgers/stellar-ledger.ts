import { Asset, Horizon, Keypair, Operation, TransactionBuilder, type xdr } from "@stellar/stellar-sdk";
import { z } from "zod";
import type { Json, NodeAnswer } from "../scripted-node.ts";
import {
  STELLAR_RECIPIENT,
  STELLAR_RECIPIENT_SECRET,
  STELLAR_SECRET,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  STELLAR_TOKEN_SECRET,
} from "../stellar-samples.ts";
import { openScriptedLedger, type ScriptedLedger } from "./scripted-ledger.ts";

/** 14 November 2023: signers, by their own clock, see its transactions as expired. */
const START_MS = 1_700_000_000_000;
const LEDGER_MS = 5_000;
const MS_IN_SECOND = 1_000;
const { passphrase } = STELLAR_TESTNET;

const keypairOf = (secret: string): Keypair => Keypair.fromRawEd25519Seed(Buffer.from(secret, "hex"));
/** The keys of the samples' accounts, in the form of the chain's SDK. */
export const STELLAR_KEYPAIRS = {
  sender: keypairOf(STELLAR_SECRET),
  recipient: keypairOf(STELLAR_RECIPIENT_SECRET),
  issuer: keypairOf(STELLAR_TOKEN_SECRET),
} as const;

const ledgersSchema = z.object({
  _embedded: z.object({
    records: z.tuple([z.object({ sequence: z.int(), hash: z.string(), closed_at: z.string() })]),
  }),
});

interface ClosedHorizonLedger {
  readonly sequence: number;
  readonly hash: string;
  /** Unix seconds */
  readonly closedAt: number;
}

export interface ScriptedStellarLedger extends ScriptedLedger {
  /** Sends a transaction through the chain's SDK, and closes a ledger with it. @returns its hash and the ledger */
  land(
    source: Keypair,
    ...operations: readonly xdr.Operation[]
  ): Promise<{ readonly txHash: string; readonly height: bigint }>;
  last(): Promise<ClosedHorizonLedger>;
  /** Closes a ledger at a given time. @param seconds Unix time */
  closeAt(seconds: number | bigint): Promise<void>;
  /** Changes the node's own answers at a path, which is compared without the query. */
  shows(path: string, change: (body: Json) => object): void;
  /** Makes the node list these records at a path, page by page. */
  lists(path: string, records: readonly object[]): void;
  /** Sets the ledger that all the node's answers refer to. @param ledger undefined: they name no ledger */
  answersAsOf(ledger: number | undefined): void;
  /** The paths of the node's requests so far. */
  paths(): readonly string[];
  /** The envelopes that the node received, in base64. */
  posted(): readonly string[];
}

/** A page of a list in Horizon's form. */
export const horizonPage = (records: readonly object[], links: object = NEXT): NodeAnswer => ({
  status: 200,
  text: JSON.stringify({ ...links, _embedded: { records } }),
});
const NEXT = { _links: { next: { href: "/?cursor=&limit=200&order=asc" } } };

/**
 * A Stellar ledger whose clock advances five seconds per closed ledger. Its second ledger has paid 100 lumens each to the
 * samples' sender, recipient and issuer.
 */
export const openStellarLedger = async (): Promise<ScriptedStellarLedger> => {
  const ledger = await openScriptedLedger("Stellar", passphrase, { startMs: START_MS, blockMs: LEDGER_MS });
  const { node, clock, mine } = ledger;
  const horizon = new Horizon.Server(ledger.url, { allowHttp: true });
  for (const address of [STELLAR_SENDER, STELLAR_RECIPIENT, STELLAR_TOKEN.issuer]) {
    await ledger.admin("fund", { address, amount: 1_000_000_000 });
  }
  await mine();
  const last: ScriptedStellarLedger["last"] = async () => {
    const answered = await fetch(`${ledger.url}/ledgers?order=desc&limit=1`);
    const { records } = ledgersSchema.parse(await answered.json())._embedded;
    const [{ sequence, hash, closed_at }] = records;
    return { sequence, hash, closedAt: Date.parse(closed_at) / MS_IN_SECOND };
  };
  return {
    ...ledger,
    last,
    land: async (source, ...operations) => {
      const builder = new TransactionBuilder(await horizon.loadAccount(source.publicKey()), {
        fee: "100",
        networkPassphrase: passphrase,
        timebounds: { minTime: 0, maxTime: Math.floor(clock.now() / MS_IN_SECOND) + 300 },
      });
      for (const operation of operations) builder.addOperation(operation);
      const transaction = builder.build();
      transaction.sign(source);
      await horizon.submitAsyncTransaction(transaction);
      await mine();
      return { txHash: transaction.hash().toString("hex"), height: BigInt((await last()).sequence) };
    },
    closeAt: async (seconds) => {
      clock.pass(Number(seconds) * MS_IN_SECOND - clock.now());
      await ledger.admin("mine");
    },
    shows: (path, change) =>
      node.changes(path, (body, asked) =>
        asked.path.replace(/\?.*$/, "") === path ? change(body) : undefined,
      ),
    lists: (path, records) =>
      node.changes(path, (_, asked) => {
        const { searchParams } = new URL(asked.path, ledger.url);
        const from = Number(searchParams.get("cursor") ?? 0);
        const page = records.slice(from, from + Number(searchParams.get("limit")));
        return { ...NEXT, _embedded: { records: page } };
      }),
    answersAsOf: (asOf) => node.heads({ "latest-ledger": asOf?.toString() }),
    paths: () => node.asked.map(({ path }) => path),
    posted: () =>
      node.asked
        .filter(({ method, path }) => method === "POST" && path !== "/rpc")
        .map(({ body }) => new URLSearchParams(Buffer.from(body).toString()).get("tx") ?? ""),
  };
};

/** Gives the samples' sender 5 units of their asset, after opening trustlines for sender and recipient. */
export const issueStellarAsset = async ({ land }: Pick<ScriptedStellarLedger, "land">): Promise<void> => {
  const asset = new Asset(STELLAR_TOKEN.code, STELLAR_TOKEN.issuer);
  const { sender, recipient, issuer } = STELLAR_KEYPAIRS;
  for (const holder of [sender, recipient]) await land(holder, Operation.changeTrust({ asset }));
  await land(issuer, Operation.payment({ destination: STELLAR_SENDER, asset, amount: "5" }));
};
