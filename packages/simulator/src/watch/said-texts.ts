import { type SaidText, SHORTEST_FORM } from "../check/inv-10.ts";

/** All that processes wrote where others read it: texts that are too short for a secret are left out. */
export class SaidTexts {
  readonly #said: SaidText[] = [];

  /** @param value a text, bytes, or a list of these; anything else is left out */
  add(where: string, value: unknown): void {
    if (Array.isArray(value)) for (const each of value) this.add(where, each);
    const text = value instanceof Uint8Array ? latin1Of(value) : value;
    if (typeof text === "string" && text.length >= SHORTEST_FORM) this.#said.push({ where, text });
  }

  get all(): readonly SaidText[] {
    return this.#said;
  }
}

const latin1Of = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
