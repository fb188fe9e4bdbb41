import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  type PublicClient,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  DEVELOPMENT_TOKEN_ABI,
  DEVELOPMENT_TOKEN_BYTECODE,
  developmentTokenArguments,
} from "./contracts/development-token.ts";
import { DEVELOPMENT_CHAIN_ID } from "./development-network.ts";

/**
 * The key of anvil's first account. It is public, because anvil's documentation shows it, and it owns assets on development
 * chains only.
 */
const PUBLICLY_KNOWN_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const RPC_TIMEOUT_MS = 10_000;
const RECEIPT_TIMEOUT_MS = 30_000;
const RECEIPT_POLL_MS = 100;
/** anvil's default, in gas */
const BLOCK_GAS_LIMIT = 30_000_000n;
/** gas: every transaction takes at least 21 000 */
const LESS_THAN_ANY_TRANSACTION = 20_000n;

/** The address of the development token on every development chain; the examples of the API document use it. */
const TOKEN_ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TOKEN_SUPPLY = 1_000_000n * 10n ** 6n;

/** Defined here, because viem's module of all known chains takes a third of a second to load. */
const developmentChain = defineChain({
  id: DEVELOPMENT_CHAIN_ID,
  name: "EthereumSepolia",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

/** The operations of tests, demo and banner on a development chain: fund accounts, deploy a token, read transactions. */
export class DevelopmentChain {
  readonly #transport;
  readonly client: PublicClient;

  constructor(rpcUrl: string) {
    this.#transport = http(rpcUrl, { timeout: RPC_TIMEOUT_MS });
    this.client = createPublicClient({
      chain: developmentChain,
      transport: this.#transport,
      pollingInterval: RECEIPT_POLL_MS,
    });
  }

  /** Sets the balance of an address, in wei. */
  async setBalance(address: Hex, wei: bigint): Promise<void> {
    await this.#control().setBalance({ address, value: wei });
  }

  /** Stops automatic blocks; from then on only `mine` makes blocks. */
  async holdBlocks(): Promise<void> {
    await this.#control().setAutomine(false);
    await this.#control().setIntervalMining({ interval: 0 });
  }

  /** Makes a block periodically again, as at the start. */
  async releaseBlocks(seconds = 1): Promise<void> {
    await this.#control().setIntervalMining({ interval: seconds });
  }

  /** Makes the node reject every transaction, by a block gas limit below any transaction's. Empty blocks continue. */
  async refuseTransactions(): Promise<void> {
    await this.#control().setBlockGasLimit({ gasLimit: LESS_THAN_ANY_TRANSACTION });
  }

  /** Makes the node accept transactions again. */
  async takeTransactions(): Promise<void> {
    await this.#control().setBlockGasLimit({ gasLimit: BLOCK_GAS_LIMIT });
  }

  /** Makes a block of the pending transactions. */
  async mine(): Promise<void> {
    await this.#control().mine({ blocks: 1 });
  }

  #control() {
    return createTestClient({ chain: developmentChain, mode: "anvil", transport: this.#transport });
  }

  /** Deploys the development token at its fixed address, once, so that calls have a contract. Nobody holds units of it. */
  async placeToken(): Promise<void> {
    if ((await this.client.getCode({ address: TOKEN_ADDRESS })) !== undefined) return;
    const data = encodeDeployData({
      abi: DEVELOPMENT_TOKEN_ABI,
      bytecode: DEVELOPMENT_TOKEN_BYTECODE,
      args: developmentTokenArguments(TOKEN_SUPPLY),
    });
    const { data: bytecode } = await this.client.call({ data });
    if (bytecode === undefined) throw new Error("the development token has no code");
    await this.#control().setCode({ address: TOKEN_ADDRESS, bytecode });
  }

  /** Deploys the development token and transfers `units` of it to an address. @returns the token's address */
  async giveTokens(address: Hex, units: bigint): Promise<Hex> {
    const account = privateKeyToAccount(PUBLICLY_KNOWN_KEY);
    const wallet = createWalletClient({ account, chain: developmentChain, transport: this.#transport });
    const deployed = await this.#land(
      await wallet.deployContract({
        abi: DEVELOPMENT_TOKEN_ABI,
        bytecode: DEVELOPMENT_TOKEN_BYTECODE,
        args: developmentTokenArguments(units),
      }),
    );
    if (deployed.contractAddress === null || deployed.contractAddress === undefined) {
      throw new Error("the development token was not deployed");
    }
    const data = encodeFunctionData({
      abi: DEVELOPMENT_TOKEN_ABI,
      functionName: "transfer",
      args: [address, units],
    });
    await this.#land(await wallet.sendTransaction({ to: deployed.contractAddress, data }));
    return deployed.contractAddress;
  }

  balance(address: Hex): Promise<bigint> {
    return this.client.getBalance({ address });
  }

  tokenBalance(token: Hex, address: Hex): Promise<bigint> {
    return this.client.readContract({
      address: token,
      abi: DEVELOPMENT_TOKEN_ABI,
      functionName: "balanceOf",
      args: [address],
    });
  }

  /** Reads the number of transactions of this address on the chain. */
  transactionCount(address: Hex): Promise<number> {
    return this.client.getTransactionCount({ address });
  }

  /** Reads the signed bytes of a transaction from the node. */
  async rawTransaction(hash: Hex): Promise<Hex> {
    const raw = await this.client.request<{
      Method: "eth_getRawTransactionByHash";
      Parameters: [Hex];
      ReturnType: Hex | null;
    }>({ method: "eth_getRawTransactionByHash", params: [hash] });
    if (raw === null) throw new Error(`the chain does not know transaction ${hash}`);
    return raw;
  }

  async #land(hash: Hex) {
    const receipt = await this.client.waitForTransactionReceipt({ hash, timeout: RECEIPT_TIMEOUT_MS });
    if (receipt.status !== "success") throw new Error(`transaction ${hash} was reverted`);
    return receipt;
  }
}
