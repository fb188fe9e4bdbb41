import { TronWeb } from "tronweb";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import type { NodeUrls } from "../networks/local-network.ts";
import type { MadeToken, TokenFactory } from "./token-factory.ts";
import {
  deployDevelopmentCollectible,
  deployDevelopmentToken,
  issueOnTron,
  landTron,
  type TronMaker,
  tronCall,
  tronClient,
} from "./tron-client.ts";

const makerOf = (makerKey: Uint8Array): TronMaker => {
  const privateKey = Buffer.from(makerKey).toString("hex");
  return { privateKey, address: z.string().parse(TronWeb.address.fromPrivateKey(privateKey)) };
};

const address: TokenFactory["makerOf"] = async (makerKey) => makerOf(makerKey).address;

const contractIsThere: TokenFactory["isThere"] = async ({ urls, id }) => {
  const contract: object = await tronClient(urls).trx.getContract(id);
  // the node answers an empty object for a contract that it does not have
  return "contract_address" in contract;
};

const receiver = (text: string): string => {
  if (TronWeb.isAddress(text)) return text;
  throw new LaunchError(
    `${text} is no TRON address`,
    "Give the address of the wallet: T and 33 more characters.",
  );
};

const called = async (
  { urls, makerKey, id }: MadeToken,
  selector: string,
  values: Parameters<typeof tronCall>[4],
) => {
  const maker = makerOf(makerKey);
  return landTron(urls, await tronCall(urls, maker.address, id, selector, values), maker.privateKey);
};

const balanceIn = async (urls: NodeUrls, contract: string, owner: string): Promise<bigint> => {
  const { constant_result: words } = await tronClient(urls).transactionBuilder.triggerConstantContract(
    contract,
    "balanceOf(address)",
    {},
    [{ type: "address", value: owner }],
    owner,
  );
  return BigInt(`0x${words?.[0] ?? "0"}`);
};

export const TRC20_FACTORY: TokenFactory = {
  makerOf: address,
  create: ({ urls, makerKey }, terms) => deployDevelopmentToken(urls, makerOf(makerKey), terms.supply, terms),
  isThere: contractIsThere,
  left: ({ urls, makerKey, id }) => balanceIn(urls, id, makerOf(makerKey).address),
  give: async (made, to, units) => {
    await called(made, "transfer(address,uint256)", [
      { type: "address", value: receiver(to) },
      { type: "uint256", value: String(units) },
    ]);
    return [];
  },
};

export const TRC721_FACTORY: TokenFactory = {
  makerOf: address,
  create: ({ urls, makerKey }, terms) =>
    deployDevelopmentCollectible(urls, makerOf(makerKey), terms.supply, terms),
  isThere: contractIsThere,
  left: async () => undefined,
  give: async (made, to, count) => {
    const { log = [] } = await called(made, "mint(address,uint256)", [
      { type: "address", value: receiver(to) },
      { type: "uint256", value: String(count) },
    ]);
    return log.map(({ topics }) => String(BigInt(`0x${topics[3] ?? "0"}`)));
  },
};

const assetsSchema = z.object({
  assetV2: z.array(z.object({ key: z.string(), value: z.number() })).default([]),
});

export const TRC10_FACTORY: TokenFactory = {
  makerOf: address,
  create: ({ urls, makerKey }, { name, symbol, decimals, supply }) =>
    issueOnTron(urls, makerOf(makerKey), { name, symbol, decimals, supply: Number(supply) }),
  isThere: async ({ urls, id }) => {
    try {
      await tronClient(urls).trx.getTokenByID(id);
      return true;
    } catch {
      return false;
    }
  },
  left: async ({ urls, makerKey, id }) => {
    const account = await tronClient(urls).trx.getUnconfirmedAccount(makerOf(makerKey).address);
    const held = assetsSchema.parse(account).assetV2.find(({ key }) => key === id);
    return BigInt(held?.value ?? 0);
  },
  give: async ({ urls, makerKey, id }, to, units) => {
    const maker = makerOf(makerKey);
    const { transactionBuilder } = tronClient(urls);
    await landTron(
      urls,
      await transactionBuilder.sendToken(receiver(to), Number(units), id, maker.address),
      maker.privateKey,
    );
    return [];
  },
};
