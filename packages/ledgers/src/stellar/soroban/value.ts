import type { HorizonAddress } from "../address.ts";
import type { HorizonContractAddress, HorizonMapEntry, HorizonValue } from "../xdr/contract-value.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const symbolValue = (text: string): HorizonValue => ({ type: "symbol", value: bytesOf(text) });
export const stringValue = (text: string): HorizonValue => ({ type: "string", value: bytesOf(text) });
export const vecValue = (...value: readonly HorizonValue[]): HorizonValue => ({ type: "vec", value });
export const addressValue = (value: HorizonContractAddress): HorizonValue => ({ type: "address", value });
export const accountValue = (value: HorizonAddress): HorizonValue => addressValue({ type: "account", value });
export const amountValue = (value: bigint): HorizonValue => ({ type: "i128", value });
export const VOID_VALUE: HorizonValue = { type: "void", value: undefined };

/** A contract map, whose keys must be sorted. @param entries sorted by name */
export const mapValue = (...entries: readonly (readonly [string, HorizonValue])[]): HorizonValue => ({
  type: "map",
  value: entries.map(([name, val]): HorizonMapEntry => ({ key: symbolValue(name), val })),
});

/** The value of a map under a name. */
export const valueNamed = (value: HorizonValue, name: string): HorizonValue | undefined => {
  const wanted = bytesOf(name).join();
  const entries = value.type === "map" ? (value.value ?? []) : [];
  return entries.find(({ key }) => key.type === "symbol" && key.value.join() === wanted)?.val;
};
