import { Asset, Keypair, Operation, StrKey, Transaction, xdr } from "@stellar/stellar-sdk";
import { z } from "zod";
import type { NodeUrls } from "../networks/local-network.ts";
import { horizonOf, landOnStellar, stellarPassphrase, writeForStellar } from "../tokens/stellar-assets.ts";
import { command, type FamilyDriver, type KindOfTransfer, type SeenTransaction } from "./driver.ts";
import { ed25519Verified } from "./ed25519-verified.ts";

const ASSET_CODE = "COIN";

/** Converts an amount, a string with seven decimals. */
const smallestUnits = (amount: string): bigint => BigInt(amount.replace(".", ""));

const nameOf = (asset: Asset): string | undefined =>
  asset.isNative() ? undefined : `${asset.getCode()}:${asset.getIssuer()}`;

const moved = ({ operations }: Transaction) => {
  const [operation] = operations;
  if (operation?.type === "createAccount") {
    const { destination, startingBalance } = operation;
    return { recipient: destination, amount: smallestUnits(startingBalance), token: undefined };
  }
  if (operation?.type !== "payment") throw new Error("it moves nothing");
  const { destination, amount, asset } = operation;
  return { recipient: destination, amount: smallestUnits(amount), token: nameOf(asset) };
};

const isSigned = (transaction: Transaction): boolean =>
  transaction.signatures.length === 1 &&
  transaction.signatures.every((signature) =>
    ed25519Verified(
      Keypair.fromPublicKey(transaction.source).rawPublicKey(),
      transaction.hash(),
      signature.signature(),
    ),
  );

const read = async (urls: NodeUrls, txHash: string): Promise<SeenTransaction> => {
  const found = await horizonOf(urls).transactions().transaction(txHash).call();
  const transaction = new Transaction(found.envelope_xdr, await stellarPassphrase(urls));
  const wanted = moved(transaction);
  return {
    sender: transaction.source,
    // a failed transaction is in its ledger too, but has moved only its fee
    ...(found.successful ? wanted : { ...wanted, amount: 0n }),
    fee: BigInt(found.fee_charged),
    isSigned: isSigned(transaction),
    signed: Uint8Array.from(Buffer.from(found.envelope_xdr, "base64")),
  };
};

/** A funded account outside the cluster. */
const fundedAccount = async (urls: NodeUrls): Promise<Keypair> => {
  const account = Keypair.random();
  await command(urls, "fund", { address: account.publicKey(), amount: 100_000_000 });
  await command(urls, "mine");
  return account;
};

const native = (amount: bigint): KindOfTransfer => {
  const recipient = Keypair.random().publicKey();
  return {
    kind: "Native",
    body: { kind: "Native", to: recipient, amount: String(amount) },
    expected: { recipient, amount, token: undefined },
  };
};

const kinds: FamilyDriver["kinds"] = async (urls, { address, send }) => {
  const [issuer, receiver] = [await fundedAccount(urls), await fundedAccount(urls)];
  const asset = new Asset(ASSET_CODE, issuer.publicKey());
  await landOnStellar(urls, receiver, Operation.changeTrust({ asset }));
  const trust = await writeForStellar(urls, address, Operation.changeTrust({ asset }));
  await send(`0x${trust.toEnvelope().toXDR("hex")}`);
  await landOnStellar(urls, issuer, Operation.payment({ destination: address, asset, amount: "0.0000500" }));
  const recipient = receiver.publicKey();
  const sep41 = {
    kind: "Sep41",
    body: {
      kind: "Sep41",
      issuer: issuer.publicKey(),
      assetCode: ASSET_CODE,
      to: recipient,
      amount: "7",
    },
    expected: { recipient, amount: 7n, token: `${ASSET_CODE}:${issuer.publicKey()}` },
  };
  return [native(12_345_678n), sep41];
};

const submittedSchema = z.object({ tx_status: z.string(), error_result_xdr: z.string().optional() });

/** Stellar, through its SDK. */
export const STELLAR: FamilyDriver = {
  network: "Stellar",
  least: 10_000_000n,
  addressOf: (publicKey) => StrKey.encodeEd25519PublicKey(Buffer.from(publicKey, "hex")),
  native,
  kinds,
  read,
  balance: async (urls, address) => {
    const { balances } = await horizonOf(urls).loadAccount(address);
    const lumens = balances.find((line) => line.asset_type === "native");
    return smallestUnits(lumens?.balance ?? "0");
  },
  altered: (signed) => {
    const envelope = xdr.TransactionEnvelope.fromXDR(Buffer.from(signed));
    const transaction = envelope.v1().tx();
    const [operation] = transaction.operations();
    if (operation === undefined) throw new Error("it has no operation");
    const made = operation.body().createAccountOp();
    made.startingBalance(new xdr.Int64(made.startingBalance().toBigInt() + 1n));
    // uses the account's next sequence number, because a used one is refused before signatures are verified
    transaction.seqNum(new xdr.Int64(transaction.seqNum().toBigInt() + 1n));
    return Uint8Array.from(envelope.toXDR());
  },
  wrongSignature: /^txBadAuth$/,
  submit: async (urls, signed) => {
    const answer = await fetch(`${urls.url}/transactions_async`, {
      method: "POST",
      body: new URLSearchParams({ tx: Buffer.from(signed).toString("base64") }),
    });
    const { tx_status: status, error_result_xdr: result } = submittedSchema.parse(await answer.json());
    if (status === "PENDING" || status === "DUPLICATE") return { kind: "taken" };
    const words =
      result === undefined ? status : xdr.TransactionResult.fromXDR(result, "base64").result().switch().name;
    return { kind: "refused", words };
  },
  expire: undefined,
};
