import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { DfnsApiClient } from "@dfns/sdk";
import { AsymmetricKeySigner } from "@dfns/sdk-keysigner";
import { JsonRpcProvider } from "ethers";
import { WrongSetting } from "./failures.ts";

/** The variables that `conclave env` puts into the environment. */
export const setting = (name: string): string => {
  const value = process.env[name];
  if (value !== undefined && value !== "") return value;
  throw new WrongSetting(`${name} is not set`);
};

/** The only options of the vendor's client that differ: the base URL, and the token and key of its user. */
const optionsOf = (who: "CONCLAVE" | "CONCLAVE_SERVICE") => ({
  baseUrl: setting("CONCLAVE_API"),
  orgId: setting("CONCLAVE_ORG"),
  authToken: setting(`${who}_TOKEN`),
  signer: new AsymmetricKeySigner({
    credId: setting(`${who}_CREDENTIAL`),
    privateKey: readFileSync(setting(`${who}_KEY_FILE`), "utf8"),
  }),
});

/** The organisation's administrator: a person with a key. */
export const administratorOptions = () => optionsOf("CONCLAVE");
export const administrator = (): DfnsApiClient => new DfnsApiClient(administratorOptions());

/** Its service account: a program. */
export const service = (): DfnsApiClient => new DfnsApiClient(optionsOf("CONCLAVE_SERVICE"));

/** The development chain's node. */
export const node = (): JsonRpcProvider =>
  new JsonRpcProvider(setting("CONCLAVE_RPC"), undefined, { staticNetwork: true });

/** A wallet of the development chain that holds ten ether: there they come out of nothing. */
export const fundedWallet = async (client: DfnsApiClient): Promise<{ id: string; address: string }> => {
  const { id, address } = await client.wallets.createWallet({ body: { network: "EthereumSepolia" } });
  if (address === undefined) throw new Error(`${id} has no address`);
  await node().send("anvil_setBalance", [address, "0x8ac7230489e80000"]);
  return { id, address };
};

/** An address that is somebody else's. */
export const SOMEBODY = "0x00000000000000000000000000000000c0ffee00";

/** Asks again until a request stands as wanted. */
export const reached = async <Item extends { status: string; reason?: string | undefined }>(
  status: string,
  read: () => Promise<Item>,
): Promise<Item> => {
  for (;;) {
    const item = await read();
    if (item.status === status) return item;
    if (["Failed", "Rejected"].includes(item.status)) throw new Error(`${item.status}: ${item.reason}`);
    await delay(200);
  }
};
