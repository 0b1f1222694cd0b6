/** Markdown table of the spreadsheet's columns, for the API description. */
export const COLUMNS_TABLE = `| column | fills |
|---|---|
| \`{{1}}\` or \`1\`, \`{{first_name}}\` | a variable of the body |
| \`header {{1}}\` or \`header 1\`, \`header {{first_name}}\` | the variable of the header's text |
| \`header link\` | the header's image, video, GIF or document: its public https address |
| \`header filename\` | the name of the header's document; may be empty or absent |
| \`header latitude\`, \`header longitude\` | the header's location, in degrees |
| \`header name\`, \`header address\` | the name and the address of that location; may be empty or absent |
| \`header product\`, \`header catalog\` | the header's product, by its id in the catalogue, and the id of that catalogue |
| \`offer end\` | the end of a limited-time offer: a time with its zone such as \`2030-01-31T18:00:00Z\`, or milliseconds since 1970 |
| \`button 1\`, \`button 2\`, … | the end of a button's address or its coupon code; the payload of a quick reply, the token of a flow, or the product whose picture a catalogue shows, which may be empty or absent; buttons count from 1, those without a variable too |
| \`card 1 header link\`, \`card 1 {{1}}\`, \`card 1 button 1\`, … | the same in a card of a carousel; cards count from 1 |

A sheet cannot send a template whose button opens a list of products.`;
