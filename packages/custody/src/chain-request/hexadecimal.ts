import { z } from "zod";

/** Hexadecimal digits of whole bytes as clients write them, with or without 0x. */
export const hexadecimal = (bytesMax: number) =>
  z
    .string()
    .max(2 * bytesMax + 2)
    .regex(/^(0x)?([0-9a-fA-F]{2})*$/, "is not hexadecimal");

/** Converts text that `hexadecimal` accepted to lower-case hex without 0x. */
export const lowerHex = (text: string): string => text.replace(/^0x/, "").toLowerCase();

/** The schema of lower-case hex without 0x. @param bytesMax the largest number of bytes */
export const lowerHexOf = (bytesMax: number) =>
  z
    .string()
    .max(2 * bytesMax)
    .regex(/^([0-9a-f]{2})*$/);
