import { SimpleStateManager } from "@ethereumjs/statemanager";
import { Account, type Address, bytesToHex, hexToBytes } from "@ethereumjs/util";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type JavaTronAddress, javaTronAddressOfContract } from "../address.ts";
import type { JavaTronBooks } from "../books.ts";

const SLOT_HEX_CHARACTERS = 66;

/** Bytes without leading zeros, the engine's form of slot values. */
const shortened = (bytes: Uint8Array): Uint8Array => {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? new Uint8Array() : bytes.slice(first);
};

const unprefixed = (hex: string): string => hex.slice(2);

/** The writes of a run, by address; a slot that became zero is "". */
export interface Written {
  readonly balances: ReadonlyMap<JavaTronAddress, bigint>;
  readonly nonces: ReadonlyMap<JavaTronAddress, bigint>;
  readonly codes: ReadonlyMap<JavaTronAddress, Uint8Array>;
  readonly storage: ReadonlyMap<JavaTronAddress, ReadonlyMap<string, string>>;
}

/** The engine's state on top of the ledger's books, which stay unchanged; its writes can be read out. */
export class BooksState extends SimpleStateManager {
  readonly #books: JavaTronBooks;

  constructor(books: JavaTronBooks) {
    super();
    this.#books = books;
  }

  override async getAccount(address: Address): Promise<Account | undefined> {
    const written = this.topAccountStack();
    const key = address.toString();
    return written.has(key) ? written.get(key) : this.#accountInBooks(key);
  }

  override async getCode(address: Address): Promise<Uint8Array> {
    const key = address.toString();
    const code = this.#books.contracts.get(javaTronAddressOfContract(key))?.code;
    return this.topCodeStack().get(key) ?? code ?? new Uint8Array();
  }

  override async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const key = address.toString();
    const written = this.topStorageStack().get(`${key}_${bytesToHex(slot)}`);
    if (written !== undefined) return written;
    const contract = this.#books.contracts.get(javaTronAddressOfContract(key));
    const value = contract?.storage.get(unprefixed(bytesToHex(slot)));
    return value === undefined ? new Uint8Array() : shortened(hexToBytes(`0x${value}`));
  }

  /** The writes that changed something. */
  written(): Written {
    const balances = new Map<JavaTronAddress, bigint>();
    const nonces = new Map<JavaTronAddress, bigint>();
    for (const [key, account] of this.topAccountStack()) {
      const address = javaTronAddressOfContract(key);
      const before = this.#accountInBooks(key);
      const balance = account?.balance ?? 0n;
      if (balance !== (before?.balance ?? 0n)) balances.set(address, balance);
      const nonce = account?.nonce ?? 0n;
      if (this.#books.contracts.has(address) && nonce !== (before?.nonce ?? 0n)) nonces.set(address, nonce);
    }
    const codes = new Map(
      [...this.topCodeStack()].map(([key, code]) => [javaTronAddressOfContract(key), code] as const),
    );
    return { balances, nonces, codes, storage: this.#writtenStorage() };
  }

  #accountInBooks(key: string): Account | undefined {
    const address = javaTronAddressOfContract(key);
    const account = this.#books.accounts.get(address);
    if (account === undefined) return undefined;
    const contract = this.#books.contracts.get(address);
    const codeHash = contract === undefined ? undefined : keccak_256(contract.code);
    return new Account(contract?.nonce ?? 0n, account.balance, undefined, codeHash);
  }

  #writtenStorage(): ReadonlyMap<JavaTronAddress, ReadonlyMap<string, string>> {
    const storage = new Map<JavaTronAddress, Map<string, string>>();
    for (const [key, value] of this.topStorageStack()) {
      const [account = "", slot = ""] = key.split("_");
      const address = javaTronAddressOfContract(account);
      const slots = storage.get(address) ?? new Map<string, string>();
      const hex = unprefixed(bytesToHex(value));
      const isZero = /^0*$/.test(hex);
      slots.set(unprefixed(slot), isZero ? "" : hex.padStart(SLOT_HEX_CHARACTERS - 2, "0"));
      storage.set(address, slots);
    }
    return storage;
  }
}
