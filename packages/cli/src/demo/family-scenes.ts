import type { Cluster } from "@conclave/testbed";
import {
  type AnyWallet,
  FAMILY_DRIVERS,
  type FamilyDriver,
  type KindOfTransfer,
  makeWallet,
} from "@conclave/testbed/families";
import type { Narrator } from "./narrator.ts";

/** A confirmed transfer, as the last table of the demo shows it. */
export interface KindRow {
  readonly network: string;
  readonly kind: string;
  readonly txHash: string;
  /** smallest unit of the native coin */
  readonly fee: string;
  readonly status: string;
  /** as an independent library reads it from the node */
  readonly sender: string;
}

/** whole coins requested from the faucet: enough for one transfer of each kind */
const COINS = "1000";

const sendOne = async (
  narrator: Narrator,
  driver: FamilyDriver,
  wallet: AnyWallet,
  { kind, body, expected }: KindOfTransfer,
): Promise<KindRow> => {
  narrator.say(`POST /wallets/${wallet.id}/transfers ${JSON.stringify(body)}`);
  const { txHash, fee, status } = await wallet.confirmed(body);
  const seen = await driver.read(wallet.urls, txHash);
  const name = `${driver.network} ${kind}`;
  narrator.equal(`${name} sender, by the chain's own library`, seen.sender, wallet.address);
  narrator.check(
    `${name} signature, by a library that is not ours`,
    seen.isSigned ? "valid" : "not valid",
    seen.isSigned,
  );
  narrator.equal(`${name} receiver`, seen.recipient, expected.recipient);
  narrator.equal(`${name} amount`, String(seen.amount), String(expected.amount));
  narrator.equal(`${name} fee really paid`, fee, String(seen.fee));
  return { network: driver.network, kind, txHash, fee, status, sender: seen.sender };
};

const scene = async (
  cluster: Cluster,
  narrator: Narrator,
  driver: FamilyDriver,
): Promise<readonly KindRow[]> => {
  narrator.chapter(`${driver.network}: its node starts now, because somebody needs it.`);
  const wallet = await makeWallet(cluster, driver.network, COINS);
  narrator.say(`wallet ${wallet.id}, address ${wallet.address}; the faucet gives it ${COINS} coins`);
  narrator.equal(
    `${driver.network} address, by the chain's own library`,
    wallet.address,
    driver.addressOf(wallet.publicKey, wallet.scheme),
  );
  const rows: KindRow[] = [];
  for (const kind of await driver.kinds(wallet.urls, wallet))
    rows.push(await sendOne(narrator, driver, wallet, kind));
  return rows;
};

/** Makes a transfer of each kind on a network of each family except EVM. @returns a row for each */
export const familyScenes = async (cluster: Cluster, narrator: Narrator): Promise<readonly KindRow[]> => {
  const rows: KindRow[] = [];
  for (const driver of FAMILY_DRIVERS) rows.push(...(await scene(cluster, narrator, driver)));
  return rows;
};
