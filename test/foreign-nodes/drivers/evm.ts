import { TEST_SECRET_KEY } from "@conclave/chains/testing";
import {
  DEVELOPMENT_COLLECTIBLE_ABI,
  DEVELOPMENT_COLLECTIBLE_BYTECODE,
  DEVELOPMENT_TOKEN_ABI,
  DEVELOPMENT_TOKEN_BYTECODE,
  developmentCollectibleArguments,
  developmentTokenArguments,
} from "@conclave/testbed";
import type { KindOfTransfer } from "@conclave/testbed/families";
import {
  ContractFactory,
  getAddress,
  Interface,
  type InterfaceAbi,
  JsonRpcProvider,
  NonceManager,
  Transaction,
  type TransactionReceipt,
  type TransactionResponse,
  Wallet,
} from "ethers";
import type { ForeignDriver } from "../node.ts";

const POLL_MS = 100;
const SUPPLY = 1_000_000n;
const PIECE = 2n;

const CONTRACTS = new Interface([
  "function transfer(address to, uint256 amount) returns (bool)",
  "function safeTransferFrom(address from, address to, uint256 tokenId)",
]);

interface Asked {
  readonly url: string;
}

const providerOf = ({ url }: Asked): JsonRpcProvider =>
  // no caching of answers, because tests undo blocks
  new JsonRpcProvider(url, undefined, { batchMaxCount: 1, cacheTimeout: -1, pollingInterval: POLL_MS });

const during = async <T>(urls: Asked, work: (provider: JsonRpcProvider) => Promise<T>): Promise<T> => {
  const provider = providerOf(urls);
  try {
    return await work(provider);
  } finally {
    provider.destroy();
  }
};

const someAddress = (): string => Wallet.createRandom().address;

const native = (amount: bigint): KindOfTransfer => {
  const recipient = someAddress();
  return {
    kind: "Native",
    body: { kind: "Native", to: recipient, amount: String(amount) },
    expected: { recipient, amount, token: undefined },
  };
};

const landed = async (sent: TransactionResponse): Promise<TransactionReceipt> => {
  const receipt = await sent.wait();
  if (receipt === null || receipt.status !== 1) throw new Error(`${sent.hash} did not succeed`);
  return receipt;
};

/** Deploys a contract whose whole supply goes to its maker. @returns its address */
const deploy = async (
  maker: NonceManager,
  abi: InterfaceAbi,
  bytecode: string,
  values: readonly unknown[],
): Promise<string> => {
  const { data } = await new ContractFactory(abi, bytecode).getDeployTransaction(...values);
  const { contractAddress } = await landed(await maker.sendTransaction({ data }));
  if (contractAddress === null) throw new Error("the contract was not deployed");
  return contractAddress;
};

const pieceName = (contract: string, piece: bigint): string => `${contract}#${piece}`;

/** A fungible token and a collection, of which the wallet owns a part. */
const tokens = (urls: Asked, wallet: string): Promise<readonly KindOfTransfer[]> =>
  during(urls, async (provider) => {
    const owner = new Wallet(TEST_SECRET_KEY, provider);
    const maker = new NonceManager(owner);
    const token = await deploy(
      maker,
      DEVELOPMENT_TOKEN_ABI,
      DEVELOPMENT_TOKEN_BYTECODE,
      developmentTokenArguments(SUPPLY),
    );
    const collection = await deploy(
      maker,
      DEVELOPMENT_COLLECTIBLE_ABI,
      DEVELOPMENT_COLLECTIBLE_BYTECODE,
      developmentCollectibleArguments(PIECE),
    );
    const give = async (to: string, name: string, values: readonly unknown[]) =>
      landed(await maker.sendTransaction({ to, data: CONTRACTS.encodeFunctionData(name, values) }));
    await give(token, "transfer", [wallet, 500n]);
    await give(collection, "safeTransferFrom", [owner.address, wallet, PIECE]);
    const [holder, keeper] = [someAddress(), someAddress()];
    return [
      {
        kind: "Erc20",
        body: { kind: "Erc20", contract: token, to: holder, amount: "7" },
        expected: { recipient: holder, amount: 7n, token },
      },
      {
        kind: "Erc721",
        body: { kind: "Erc721", contract: collection, to: keeper, tokenId: String(PIECE) },
        expected: { recipient: keeper, amount: 1n, token: pieceName(collection, PIECE) },
      },
    ];
  });

const moved = (to: string, value: bigint, data: string) => {
  const call = CONTRACTS.parseTransaction({ data });
  if (call === null) return { recipient: to, amount: value, token: undefined };
  const [first, second, third]: readonly unknown[] = [...call.args];
  if (call.name === "transfer") {
    return { recipient: getAddress(String(first)), amount: BigInt(String(second)), token: to };
  }
  return { recipient: getAddress(String(second)), amount: 1n, token: pieceName(to, BigInt(String(third))) };
};

/** The transaction rebuilt from the node's fields; comparing its hash and signer shows whether they are genuine. */
const rebuilt = (seen: TransactionResponse): Transaction => Transaction.from(seen);

/** The EVM driver, by ethers. */
export const EVM_DRIVER: ForeignDriver = {
  least: 1n,
  native,
  kinds: async (urls, { address }) => [native(1_234_567n), ...(await tokens(urls, address))],
  read: (urls, txHash) =>
    during(urls, async (provider) => {
      const [seen, receipt] = await Promise.all([
        provider.getTransaction(txHash),
        provider.getTransactionReceipt(txHash),
      ]);
      if (seen === null || receipt === null || seen.to === null) throw new Error(`the node has no ${txHash}`);
      if (receipt.status !== 1) throw new Error(`${txHash} did not succeed`);
      const transaction = rebuilt(seen);
      return {
        sender: seen.from,
        ...moved(seen.to, seen.value, seen.data),
        fee: receipt.fee,
        isSigned: transaction.hash === txHash && transaction.from === seen.from,
        signed: Uint8Array.from(Buffer.from(transaction.serialized.slice(2), "hex")),
      };
    }),
  balance: (urls, address) => during(urls, (provider) => provider.getBalance(address)),
};
