/** What sentences say of brands that they do, in the singular: alternatives of a regular expression. */
export const doings =
  "adds|allows|beats|becomes|begins|brings|builds|bundles|calls|charges|comes|costs|covers|deserves|does|excels|feels|fits|focuses|gets|gives|goes|handles|has|" +
  "helps|holds|includes|is|keeps|knows|lacks|lags|lasts|leads|lets|looks|makes|needs|offers|owes|owns|pays|prices|provides|publishes|puts|ranks|remains|requires|" +
  "roasts|runs|scores|sells|sends|serves|shines|ships|sits|sounds|stands|starts|stays|suits|supports|takes|tends|throws|treats|turns|uses|wants|was|weighs|wins|works"
