-- The language server's configuration, as `vim.lsp.enable("reverie")` reads it.
return require("reverie").config()
