/** Prices that the operator read from the price lists of vendors. `prices` is a JSON object of prices by item. */
export const cost: readonly string[] = [
  `create table price_sheets (
    vendor text not null,
    region text not null,
    offer text not null,
    currency text not null,
    date text not null,
    prices text not null,
    primary key (vendor, region, offer)
  )`,
];
