import type { AbiParameterBody } from "@conclave/custody";

/** An ABI array type, split at its last brackets. */
export interface AbiArray {
  readonly element: AbiParameterBody;
  /** undefined for an array of dynamic length */
  readonly length: number | undefined;
}

/** @returns undefined for any other type */
export const abiArrayOf = ({ type, components }: AbiParameterBody): AbiArray | undefined => {
  const [, element, length] = /^(.*)\[([0-9]*)\]$/.exec(type) ?? [];
  if (element === undefined) return undefined;
  return { element: { name: "", type: element, components }, length: length ? Number(length) : undefined };
};
