import {
  Asset,
  Horizon,
  Keypair,
  Operation,
  StrKey,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { formatUnits } from "viem/utils";
import { LaunchError } from "../launch-error.ts";
import type { NodeUrls } from "../networks/local-network.ts";
import type { TokenFactory } from "./token-factory.ts";

const FEE = "100";
const MS_IN_SECOND = 1_000;
const VALID_SECONDS = 300;
const DECIMALS = 7;

export const horizonOf = ({ url }: NodeUrls): Horizon.Server => new Horizon.Server(url, { allowHttp: true });

export const stellarPassphrase = async (urls: NodeUrls): Promise<string> =>
  (await horizonOf(urls).root()).network_passphrase;

/**
 * An unsigned transaction of one operation with its account's next sequence number. Its time bounds follow the ledger's
 * clock, which may be shifted.
 */
export const writeForStellar = async (
  urls: NodeUrls,
  source: string,
  operation: xdr.Operation,
): Promise<Transaction> => {
  const horizon = horizonOf(urls);
  const [latest] = (await horizon.ledgers().order("desc").limit(1).call()).records;
  const closedAt = Date.parse(latest?.closed_at ?? "") / MS_IN_SECOND;
  return new TransactionBuilder(await horizon.loadAccount(source), {
    fee: FEE,
    networkPassphrase: await stellarPassphrase(urls),
    timebounds: { minTime: 0, maxTime: closedAt + VALID_SECONDS },
  })
    .addOperation(operation)
    .build();
};

/** Sends a transaction from outside the cluster, and waits until a ledger holds it. */
export const landOnStellar = async (
  urls: NodeUrls,
  source: Keypair,
  operation: xdr.Operation,
): Promise<void> => {
  const transaction = await writeForStellar(urls, source.publicKey(), operation);
  transaction.sign(source);
  await horizonOf(urls).submitTransaction(transaction, { skipMemoRequiredCheck: true });
};

const makerOf = (makerKey: Uint8Array): Keypair => Keypair.fromRawEd25519Seed(Buffer.from(makerKey));

export const assetOf = (id: string): Asset => {
  const [code = "", issuer = ""] = id.split(":");
  return new Asset(code, issuer);
};

const trusts = async (urls: NodeUrls, address: string, asset: Asset): Promise<boolean> => {
  try {
    const { balances } = await horizonOf(urls).loadAccount(address);
    return balances.some(
      (line) =>
        "asset_code" in line &&
        line.asset_code === asset.getCode() &&
        line.asset_issuer === asset.getIssuer(),
    );
  } catch {
    // no such account yet
    return false;
  }
};

export const SEP41_FACTORY: TokenFactory = {
  makerOf: async (makerKey) => makerOf(makerKey).publicKey(),
  // an asset is there once somebody trusts its issuer
  create: async ({ makerKey }, { symbol }) => `${symbol}:${makerOf(makerKey).publicKey()}`,
  isThere: async () => true,
  left: async () => undefined,
  give: async ({ urls, makerKey, id }, to, units) => {
    if (!StrKey.isValidEd25519PublicKey(to)) {
      throw new LaunchError(
        `${to} is no Stellar address`,
        "Give the address of the wallet: 56 characters, G first.",
      );
    }
    const asset = assetOf(id);
    if (!(await trusts(urls, to, asset))) {
      throw new LaunchError(
        `${to} has no trustline for ${id}`,
        "Have its wallet open one (changeTrust), by a `Transaction` (docs/api, transactions), and run the command again.",
      );
    }
    const amount = formatUnits(units, DECIMALS);
    await landOnStellar(urls, makerOf(makerKey), Operation.payment({ destination: to, asset, amount }));
    return [];
  },
};
