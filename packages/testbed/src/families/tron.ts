import { TronWeb, type Types, utils } from "tronweb";
import { z } from "zod";
import type { NodeUrls } from "../networks/local-network.ts";
import {
  deployDevelopmentCollectible,
  deployDevelopmentToken,
  issueOnTron,
  landTron,
  type TronMaker,
  tronCall,
  tronClient,
} from "../tokens/tron-client.ts";
import { command, type FamilyDriver, type KindOfTransfer, type SeenTransaction } from "./driver.ts";

const HOLDINGS_SUN = 5_000_000_000;
const SUPPLY = 1_000_000;
const DEV10 = { name: "Development", symbol: "DEV", decimals: 2, supply: SUPPLY };
const PIECE = 2;
/** a wallet's balance counts solid blocks only */
const BLOCKS_TO_SOLID = 4;

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** A new key outside the cluster. */
const somebody = (): TronMaker => {
  const { address, privateKey } = utils.accounts.generateAccount();
  return { address: address.base58, privateKey };
};

const fundedSomebody = async (urls: NodeUrls): Promise<TronMaker> => {
  const account = somebody();
  await command(urls, "fund", { address: account.address, amount: HOLDINGS_SUN });
  await command(urls, "mine");
  return account;
};

type Unsigned = Types.Transaction;

const argument = (type: string, value: string | number) => ({ type, value });

const native = (amount: bigint): KindOfTransfer => {
  const recipient = somebody().address;
  return {
    kind: "Native",
    body: { kind: "Native", to: recipient, amount: String(amount) },
    expected: { recipient, amount, token: undefined },
  };
};

/** A TRC-10 token, of which the wallet receives some. */
const trc10 = async (urls: NodeUrls, wallet: string): Promise<KindOfTransfer> => {
  const issuer = await fundedSomebody(urls);
  const token = await issueOnTron(urls, issuer, DEV10);
  const { transactionBuilder } = tronClient(urls);
  await landTron(
    urls,
    await transactionBuilder.sendToken(wallet, 500, token, issuer.address),
    issuer.privateKey,
  );
  const recipient = somebody().address;
  return {
    kind: "Trc10",
    body: { kind: "Trc10", tokenId: token, to: recipient, amount: "7" },
    expected: { recipient, amount: 7n, token },
  };
};

/** A TRC-20 token, of which the wallet receives some. */
const trc20 = async (urls: NodeUrls, wallet: string): Promise<KindOfTransfer> => {
  const maker = await fundedSomebody(urls);
  const contract = await deployDevelopmentToken(urls, maker, BigInt(SUPPLY));
  const values = [argument("address", wallet), argument("uint256", 500)];
  const paid = await tronCall(urls, maker.address, contract, "transfer(address,uint256)", values);
  await landTron(urls, paid, maker.privateKey);
  const recipient = somebody().address;
  return {
    kind: "Trc20",
    body: { kind: "Trc20", contract, to: recipient, amount: "7" },
    expected: { recipient, amount: 7n, token: contract },
  };
};

const pieceName = (contract: string, piece: bigint): string => `${contract}#${piece}`;

/** A TRC-721 token, which the wallet receives. */
const trc721 = async (urls: NodeUrls, wallet: string): Promise<KindOfTransfer> => {
  const maker = await fundedSomebody(urls);
  const contract = await deployDevelopmentCollectible(urls, maker, BigInt(PIECE));
  const values = [
    argument("address", maker.address),
    argument("address", wallet),
    argument("uint256", PIECE),
  ];
  const given = await tronCall(
    urls,
    maker.address,
    contract,
    "safeTransferFrom(address,address,uint256)",
    values,
  );
  await landTron(urls, given, maker.privateKey);
  const recipient = somebody().address;
  return {
    kind: "Trc721",
    body: { kind: "Trc721", contract, to: recipient, tokenId: String(PIECE) },
    expected: { recipient, amount: 1n, token: pieceName(contract, BigInt(PIECE)) },
  };
};

const trxSchema = z.object({ to_address: z.string(), amount: z.number() });
const assetSchema = z.object({ to_address: z.string(), amount: z.number(), asset_name: z.string() });
const callSchema = z.object({ contract_address: z.string(), data: z.string() });
const transferCallSchema = z.object({ to: z.string(), amount: z.bigint() });
const pieceCallSchema = z.object({ to: z.string(), piece: z.bigint() });

const TRANSFER = "a9059cbb";
const TRANSFER_PIECE = "42842e0e";

const called = (value: unknown) => {
  const { contract_address, data } = callSchema.parse(value);
  const contract = TronWeb.address.fromHex(contract_address);
  const { decodeParams } = utils.abi;
  if (data.startsWith(TRANSFER)) {
    const decoded: unknown = decodeParams(["to", "amount"], ["address", "uint256"], data, true);
    const { to, amount } = transferCallSchema.parse(decoded);
    return { recipient: TronWeb.address.fromHex(to), amount, token: contract };
  }
  if (!data.startsWith(TRANSFER_PIECE)) throw new Error("it moves nothing");
  const types = ["address", "address", "uint256"];
  const decoded: unknown = decodeParams(["from", "to", "piece"], types, data, true);
  const { to, piece } = pieceCallSchema.parse(decoded);
  return { recipient: TronWeb.address.fromHex(to), amount: 1n, token: pieceName(contract, piece) };
};

const moved = ({ raw_data }: Pick<Unsigned, "raw_data">) => {
  const [contract] = raw_data.contract;
  const value: unknown = contract?.parameter.value;
  if (contract?.type === "TransferContract") {
    const { to_address, amount } = trxSchema.parse(value);
    return { recipient: TronWeb.address.fromHex(to_address), amount: BigInt(amount), token: undefined };
  }
  if (contract?.type === "TransferAssetContract") {
    const { to_address, amount, asset_name } = assetSchema.parse(value);
    const token = TronWeb.toUtf8(asset_name);
    return { recipient: TronWeb.address.fromHex(to_address), amount: BigInt(amount), token };
  }
  return called(value);
};

const serializedSchema = z.custom<{ addSignature(bytes: Uint8Array): void; serializeBinary(): Uint8Array }>(
  (value) => typeof value === "object" && value !== null && "serializeBinary" in value,
);

/** The bytes of a transaction with a signature, by the SDK. */
const serialized = (transaction: object, signature: Uint8Array): Uint8Array => {
  const message = serializedSchema.parse(utils.transaction.txJsonToPb(transaction));
  message.addSignature(signature);
  return message.serializeBinary();
};

const read = async (urls: NodeUrls, txHash: string): Promise<SeenTransaction> => {
  const client = tronClient(urls);
  const transaction = await client.trx.getConfirmedTransaction(txHash);
  const info = await client.trx.getTransactionInfo(txHash);
  if (info.receipt.result !== undefined && info.receipt.result !== "SUCCESS")
    throw new Error("its contract failed");
  const [contract] = transaction.raw_data.contract;
  const sender = TronWeb.address.fromHex(contract?.parameter.value.owner_address ?? "");
  const [signature = ""] = transaction.signature;
  const recovered = z.string().parse(client.trx.ecRecover({ ...transaction, visible: false }));
  return {
    sender,
    ...moved(transaction),
    fee: BigInt(info.fee ?? 0),
    isSigned: utils.transaction.txCheck(transaction) && TronWeb.address.fromHex(recovered) === sender,
    signed: serialized(transaction, bytesOf(signature)),
  };
};

const SIGNATURE_BYTES = 65;
/** size of the signature field behind raw_data */
const SIGNATURE_FIELD_BYTES = 2 + SIGNATURE_BYTES;
/** a length from 128 on takes two bytes */
const LONG = 0x80;

const deserializedSchema = z.object({
  contract: z.tuple([
    z.object({
      type: z.string(),
      parameter: z.looseObject({ value: z.looseObject({ amount: z.number() }) }),
    }),
  ]),
});

const altered = (signed: Uint8Array): Uint8Array => {
  const prefix = (signed[1] ?? 0) >= LONG ? 3 : 2;
  const raw = hexOf(signed.subarray(prefix, -SIGNATURE_FIELD_BYTES));
  const deserialized: unknown = utils.deserializeTx.deserializeTransaction("TransferContract", raw);
  const { contract, ...fields } = z.looseObject(deserializedSchema.shape).parse(deserialized);
  const [{ type, parameter }] = contract;
  const value = { ...parameter.value, amount: parameter.value.amount + 1 };
  const raw_data = { ...fields, contract: [{ type, parameter: { ...parameter, value } }] };
  return serialized({ raw_data, visible: false }, signed.subarray(-SIGNATURE_BYTES));
};

const answerSchema = z.object({ result: z.boolean(), code: z.string(), message: z.string() });

/** TRON, through TronWeb. */
export const TRON: FamilyDriver = {
  network: "Tron",
  least: 1n,
  addressOf: (publicKey) => {
    const uncompressed = utils.ethersUtils.SigningKey.computePublicKey(`0x${publicKey}`, false);
    const address = utils.crypto.computeAddress(bytesOf(uncompressed.slice(2)));
    return TronWeb.address.fromHex(hexOf(Uint8Array.from(address)));
  },
  native,
  kinds: async (urls, { address }) => {
    const kinds = [
      native(1_234_567n),
      await trc10(urls, address),
      await trc20(urls, address),
      await trc721(urls, address),
    ];
    await command(urls, "mine", { blocks: BLOCKS_TO_SOLID });
    return kinds;
  },
  read,
  balance: async (urls, address) => BigInt(await tronClient(urls).trx.getUnconfirmedBalance(address)),
  altered,
  wrongSignature: /^SIGERROR/,
  submit: async ({ url }, signed) => {
    const answer = await fetch(`${url}/wallet/broadcasthex`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ transaction: hexOf(signed) }),
    });
    const { result, code, message } = answerSchema.parse(await answer.json());
    return result ? { kind: "taken" } : { kind: "refused", words: `${code}: ${message}` };
  },
  takeBack: async (urls, txHash) => {
    await command(urls, "mine");
    const { id } = await tronClient(urls).trx.getUnconfirmedTransactionInfo(txHash);
    if (id !== txHash) throw new Error("it has not landed");
    await command(urls, "reorg", { depth: 1 });
    await command(urls, "drop", { id: txHash });
  },
  // the deadline is a time, minutes away
  expire: undefined,
};
