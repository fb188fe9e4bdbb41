import type { AbiParameterBody } from "@conclave/custody";

/** An array of an ABI, taken apart by its last brackets. */
export interface AbiArray {
  readonly element: AbiParameterBody;
  /** of an array of a fixed length */
  readonly length: number | undefined;
}

/** @returns undefined for what is no array */
export const abiArrayOf = ({ type, components }: AbiParameterBody): AbiArray | undefined => {
  const [, element, length] = /^(.*)\[([0-9]*)\]$/.exec(type) ?? [];
  if (element === undefined) return undefined;
  return { element: { name: "", type: element, components }, length: length ? Number(length) : undefined };
};
