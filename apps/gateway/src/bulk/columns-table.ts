/** How the API describes the columns of a sheet, in Markdown. */
export const COLUMNS_TABLE = `| column | fills |
|---|---|
| \`{{1}}\` or \`1\`, \`{{first_name}}\` | a variable of the body |
| \`header {{1}}\` or \`header 1\`, \`header {{first_name}}\` | the variable of the header's text |
| \`header link\` | the header's image, video or document: its public https address |
| \`header filename\` | the name of the header's document; may be empty or absent |
| \`header latitude\`, \`header longitude\` | the header's location, in degrees |
| \`header name\`, \`header address\` | the name and the address of that location; may be empty or absent |
| \`button 1\`, \`button 2\`, … | the end of a button's address, its coupon code, or the payload of a quick reply, which may be empty or absent; buttons count from 1, those without a variable too |`;
