import { expect, it } from "vitest";
import { type AlgodAddress, addressOfKey } from "../address.ts";
import {
  type AlgodAccount,
  type AlgodAsset,
  type AlgodBooks,
  laidUpon,
  NO_ACCOUNT,
  withAccount,
  withAsset,
  withHolding,
} from "../books.ts";
import { checkRoom } from "./room.ts";

const ROOM = { accounts: 2, assets: 2, holdings: 2 };

const numbered = (number: number): AlgodAddress => addressOfKey(new Uint8Array(32).fill(number + 1));

const FIRST = numbered(0);
const RICH: AlgodAccount = { ...NO_ACCOUNT, balance: 100_000n };
const ASSET: AlgodAsset = {
  creator: FIRST,
  parameters: {
    total: 1n,
    decimals: 0,
    defaultFrozen: false,
    unitName: "",
    name: "",
    url: "",
    metadataHash: undefined,
    manager: undefined,
    reserve: undefined,
    freeze: undefined,
    clawback: undefined,
  },
};

const books = (accounts: number, assets: number): AlgodBooks => ({
  below: undefined,
  accounts: new Map(Array.from({ length: accounts }, (_, at) => [numbered(at), RICH])),
  assets: new Map(Array.from({ length: assets }, (_, at) => [BigInt(at), ASSET])),
  transactionCount: 0n,
});

const opened = (before: AlgodBooks, at: number): AlgodBooks =>
  withAccount(laidUpon(before), numbered(at), { balance: 100_000n });

it("no account is opened beyond the limit, and existing ones continue", () => {
  const [nearly, full] = [books(1, 0), books(2, 0)];
  expect(checkRoom(nearly, opened(nearly, 7), ROOM).ok).toBe(true);
  expect(checkRoom(full, opened(full, 1), ROOM).ok).toBe(true);
  expect(checkRoom(full, opened(full, 7), ROOM)).toEqual({
    ok: false,
    message: "this simulated ledger holds at most 2 accounts",
  });
});

it("no asset is created beyond the limit, and existing ones may change or be destroyed", () => {
  const [nearly, full] = [books(1, 1), books(1, 2)];
  const made = (before: AlgodBooks, id: bigint) => withAsset(laidUpon(before), id, ASSET);
  expect(checkRoom(nearly, made(nearly, 7n), ROOM).ok).toBe(true);
  expect(checkRoom(full, made(full, 1n), ROOM).ok).toBe(true);
  expect(checkRoom(full, withAsset(laidUpon(full), 1n, "destroyed"), ROOM).ok).toBe(true);
  expect(checkRoom(full, made(full, 7n), ROOM)).toEqual({
    ok: false,
    message: "this simulated ledger holds at most 2 assets",
  });
});

it("no account holds more assets than the limit allows", () => {
  const holding = { amount: 0n, frozen: false };
  const before = withHolding(books(1, 0), FIRST, 1n, holding);
  const last = withHolding(laidUpon(before), FIRST, 2n, holding);
  expect(checkRoom(before, last, ROOM).ok).toBe(true);
  expect(checkRoom(before, withHolding(last, FIRST, 3n, holding), ROOM)).toEqual({
    ok: false,
    message: "this simulated ledger holds at most 2 assets in one account",
  });
});
