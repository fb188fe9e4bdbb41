import {
  type Abi,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  isAddress,
  toHex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  DEVELOPMENT_COLLECTIBLE_ABI,
  DEVELOPMENT_COLLECTIBLE_BYTECODE,
  developmentCollectibleArguments,
} from "../contracts/development-collectible.ts";
import {
  DEVELOPMENT_TOKEN_ABI,
  DEVELOPMENT_TOKEN_BYTECODE,
  developmentTokenArguments,
} from "../contracts/development-token.ts";
import { LaunchError } from "../launch-error.ts";
import type { NodeUrls } from "../networks/local-network.ts";
import type { MadeToken, TokenFactory } from "./token-factory.ts";

const RPC_TIMEOUT_MS = 10_000;

const accountOf = (makerKey: Uint8Array) => privateKeyToAccount(toHex(makerKey));

const clientsOf = ({ url }: NodeUrls, makerKey: Uint8Array) => {
  const transport = http(url, { timeout: RPC_TIMEOUT_MS });
  return {
    reader: createPublicClient({ transport }),
    maker: createWalletClient({ account: accountOf(makerKey), transport }),
    operator: createTestClient({ mode: "anvil", transport }),
  };
};

const addressOf = (text: string): Hex => {
  if (isAddress(text)) return text;
  throw new LaunchError(`${text} is no EVM address`, "Give the address of the wallet: 0x and 40 hex digits.");
};

/** Makes a block with a transaction. @returns its receipt */
const landed = async (clients: ReturnType<typeof clientsOf>, hash: Hex) => {
  await clients.operator.mine({ blocks: 1 });
  const receipt = await clients.reader.waitForTransactionReceipt({ hash, timeout: RPC_TIMEOUT_MS });
  if (receipt.status === "success") return receipt;
  throw new LaunchError(`the transaction ${hash} was reverted`, "See the node's log.");
};

const deploy = async (
  { urls, makerKey }: Omit<MadeToken, "id">,
  contract: { readonly abi: Abi; readonly bytecode: Hex; readonly args: readonly unknown[] },
): Promise<string> => {
  const clients = clientsOf(urls, makerKey);
  const hash = await clients.maker.deployContract({ ...contract, chain: null });
  const { contractAddress } = await landed(clients, hash);
  if (contractAddress === null || contractAddress === undefined) {
    throw new Error(`the transaction ${hash} deployed nothing`);
  }
  return contractAddress;
};

const isThere: TokenFactory["isThere"] = async ({ urls, id }) => {
  const reader = createPublicClient({ transport: http(urls.url, { timeout: RPC_TIMEOUT_MS }) });
  return (await reader.getCode({ address: addressOf(id) })) !== undefined;
};

const makerOf: TokenFactory["makerOf"] = async (makerKey) => accountOf(makerKey).address;

export const ERC20_FACTORY: TokenFactory = {
  makerOf,
  create: (made, terms) =>
    deploy(made, {
      abi: DEVELOPMENT_TOKEN_ABI,
      bytecode: DEVELOPMENT_TOKEN_BYTECODE,
      args: developmentTokenArguments(terms.supply, terms),
    }),
  isThere,
  left: ({ urls, makerKey, id }) =>
    clientsOf(urls, makerKey).reader.readContract({
      address: addressOf(id),
      abi: DEVELOPMENT_TOKEN_ABI,
      functionName: "balanceOf",
      args: [accountOf(makerKey).address],
    }),
  give: async ({ urls, makerKey, id }, to, units) => {
    const clients = clientsOf(urls, makerKey);
    const hash = await clients.maker.writeContract({
      address: addressOf(id),
      abi: DEVELOPMENT_TOKEN_ABI,
      functionName: "transfer",
      args: [addressOf(to), units],
      chain: null,
    });
    await landed(clients, hash);
    return [];
  },
};

export const ERC721_FACTORY: TokenFactory = {
  makerOf,
  create: (made, terms) =>
    deploy(made, {
      abi: DEVELOPMENT_COLLECTIBLE_ABI,
      bytecode: DEVELOPMENT_COLLECTIBLE_BYTECODE,
      args: developmentCollectibleArguments(terms.supply, terms),
    }),
  isThere,
  left: async () => undefined,
  give: async ({ urls, makerKey, id }, to, units) => {
    const clients = clientsOf(urls, makerKey);
    const hash = await clients.maker.writeContract({
      address: addressOf(id),
      abi: DEVELOPMENT_COLLECTIBLE_ABI,
      functionName: "mint",
      args: [addressOf(to), units],
      chain: null,
    });
    const { logs } = await landed(clients, hash);
    return logs.map(({ topics }) => String(BigInt(topics[3] ?? 0)));
  },
};
