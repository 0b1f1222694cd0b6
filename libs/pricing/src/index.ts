export { Amount, amountOf, unitsOf } from './amounts';
export { countryOf } from './country';
export { chargesWindow, freeReasonOf } from './free-messages';
export { isMarket, MARKETS, unknownMarket } from './markets';
export { highestPriceOf, marketOf, type Price, priceOf, type Rate, type RateCard, rateCardOf } from './rate-card';
