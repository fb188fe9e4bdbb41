import { type Codec, Source } from "../../codec.ts";

/** A part of a message without smaller parts, as the codec reads it. */
export interface TracedField {
  /** its name after the names of the parts that contain it, such as "pairs.0.nonce.D"; empty for the whole message */
  readonly path: string;
  /** start of its encoding in the message, in bytes */
  readonly offset: number;
  /** length of its encoding in bytes, sign and length prefix included */
  readonly length: number;
  /** bytes of the sign, which comes first: 1 or 0 */
  readonly signBytes: number;
  /** bytes of the length prefix; 0 when the value has a fixed length */
  readonly lengthBytes: number;
}

interface Read {
  readonly at: number;
  readonly length: number;
  /** the value, when it was read as a number */
  readonly number: number | undefined;
}

/** Records the reads of a codec under the names of the parts. */
class TracingSource extends Source {
  readonly #leaves: { readonly path: string; readonly reads: Read[] }[] = [];
  #path: readonly string[] = [];
  #offset = 0;
  #isContinued = false;

  override take(length: number): Uint8Array {
    const taken = super.take(length);
    this.#note({ at: this.#offset, length, number: undefined });
    this.#offset += length;
    return taken;
  }

  override uint(width: number): number {
    const number = super.uint(width);
    const reads = this.#leaves.at(-1)?.reads;
    const last = reads?.pop();
    if (last !== undefined) reads?.push({ ...last, number });
    return number;
  }

  override part<T>(name: PropertyKey, codec: Codec<T>): T {
    const outer = this.#path;
    this.#path = [...outer, String(name)];
    this.#isContinued = false;
    const value = super.part(name, codec);
    this.#path = outer;
    this.#isContinued = false;
    return value;
  }

  #note(read: Read): void {
    const leaf = this.#isContinued ? this.#leaves.at(-1) : undefined;
    if (leaf === undefined) this.#leaves.push({ path: this.#path.join("."), reads: [read] });
    else leaf.reads.push(read);
    this.#isContinued = true;
  }

  get fields(): readonly TracedField[] {
    return this.#leaves.map(({ path, reads }) => fieldOf(path, reads));
  }
}

/**
 * The field of these reads: [value], [length, value] or [sign, length, value]; all others are values of fixed
 * length.
 */
const fieldOf = (path: string, reads: readonly Read[]): TracedField => {
  const whole = {
    path,
    offset: reads[0]?.at ?? 0,
    length: reads.reduce((sum, { length }) => sum + length, 0),
  };
  const value = reads.at(-1);
  const counted = reads.at(-2);
  const isCounted = value?.number === undefined && counted?.number === value?.length;
  if (counted === undefined || !isCounted || reads.length > 3) {
    return { ...whole, signBytes: 0, lengthBytes: 0 };
  }
  return { ...whole, signBytes: reads.length === 3 ? 1 : 0, lengthBytes: counted.length };
};

/**
 * Finds all fields of a message by its codec, so that a new field of the codec needs no registration.
 *
 * @throws when the bytes are not a message of the codec, which never happens for honest messages
 */
export const fieldsOf = (
  codec: Pick<Codec<unknown>, "read">,
  payload: Uint8Array,
): readonly TracedField[] => {
  const source = new TracingSource(payload);
  codec.read(source);
  source.finish();
  return source.fields;
};
