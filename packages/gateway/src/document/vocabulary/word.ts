/** The meaning of a property or a parameter: a sentence, and an example of a value. */
export type Word = readonly [says: string, example?: unknown];

/**
 * Words by the name that they describe. A name has one meaning everywhere, except in an entry `holder.name`, which is
 * for one component, body of an operation, property or variant (`kind`).
 */
export type Vocabulary = Readonly<Record<string, Word>>;
