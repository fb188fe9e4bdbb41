/** The column that holds a property: `dateCreated` is in `date_created`. */
export const columnNameOf = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
